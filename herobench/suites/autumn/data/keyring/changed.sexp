(program
  (= GRID_SIZE 10)
  (= background "darkslategray")
  (object Wall (Cell 0 0 "black"))
  (object Door (: lock String) (: shut Bool) (Cell 0 0 (if shut then lock else "darkslategray")))
  (object Key (: metal String) (Cell 0 0 metal))
  (object Gem (Cell 0 0 "white"))
  (object Walker (: hold String) (Cell 0 0 (if (== hold "") then "lightgray" else hold)))

  (= edge (--> n (or (== n 0) (== n (- GRID_SIZE 1)))))
  (= isInner (--> p (or (== (.. p x) 5) (& (> (.. p x) 5) (== (% (.. p y) 3) 0)))))
  (= isWall (--> p (or (isInner p) (or (edge (.. p x)) (edge (.. p y))))))
  (= walls (initnext (map (--> p (Wall p)) (filter isWall (allPositions GRID_SIZE))) (prev walls)))
  (: doors (List Door))
  (= door (--> (c y) (Door c true (Position 5 y))))
  (= doors (initnext (list (door "red" 2) (door "blue" 4) (door "green" 7)) (prev doors)))
  (: keys (List Key))
  (= keys (initnext (list (Key "orangered" (Position 2 3)) (Key "lime" (Position 2 6)) (Key "skyblue" (Position 7 1)))
                    (prev keys)))
  (: gems (List Gem))
  (= gems (initnext (list (Gem (Position 8 2)) (Gem (Position 8 4)) (Gem (Position 7 8))) (prev gems)))
  (: walker Walker)
  (= walker (initnext (Walker "" (Position 3 4)) (prev walker)))

  (= keyOf (--> d (let (= c (.. d lock))
    (if (== c "red") then "orangered" else (if (== c "blue") then "skyblue" else "lime")))))
  (= here (--> (l p) (filter (--> o (== (.. o origin) p)) l)))
  (= hand (fn () (.. walker hold)))
  (= fired false)
  (= swaps 0)
  (= broken (--> d (& (> swaps 0) (& (!= ((hand)) "") (!= ((hand)) (keyOf d))))))
  (= fits (--> d (let (= fired (or fired (broken d))) (or (broken d) (== ((hand)) (keyOf d))))))
  (= unlock (--> d (let
    (= doors (updateObj doors (--> o (updateObj o "shut" false)) (--> o (== (.. o origin) (.. d origin)))))
    (= walker (updateObj walker "hold" "")))))
  ; a key is taken, and the one in hand is left in its place
  (= swap (--> (k p) (let
    (= swaps (if (== ((hand)) "") then swaps else (+ swaps 1)))
    (= put (if (== ((hand)) "") then (list) else (list (Key ((hand)) p))))
    (= keys (concat (list (filter (--> o (!= (.. o origin) p)) keys) put)))
    (= walker (updateObj walker "hold" (.. k metal))))))
  (= enter (--> p (let
    (= walker (updateObj walker "origin" p))
    (if (any (here keys p)) then (swap (head (here keys p)) p) else true)
    (= gems (filter (--> g (!= (.. g origin) p)) gems)))))
  (= go (--> (u v) (let
    (= p (movePos (.. walker origin) (Position u v)))
    (= gate (here doors p))
    (if (any (--> d (.. d shut)) gate) then (if (fits (head gate)) then (unlock (head gate)) else false)
      else (if (& (isWall p) (== (length gate) 0)) then false else (enter p))))))

  (on left (go -1 0))
  (on right (go 1 0))
  (on up (go 0 -1))
  (on down (go 0 1))
  ; a click on yourself drops the key, if there is room
  (on (& (clicked walker) (! (any (here keys (.. walker origin)))))
    (if (== ((hand)) "") then false
      else (let (= keys (addObj keys (Key ((hand)) (.. walker origin)))) (= walker (updateObj walker "hold" ""))))))
