(program
  (= GRID_SIZE 10)
  (object Pad (Cell 0 0 "darkgreen"))
  (object Crate (: dx Number) (: dy Number) (: home Bool) (Cell 0 0 (if home then "limegreen" else "lightblue")))
  (object Walker (Cell 0 0 "yellow"))
  (object Wall (Cell 0 0 "gray"))

  (= pads (map (--> p (Pad p)) (list (Position 8 1) (Position 1 5) (Position 6 8))))
  (: crates (List Crate))
  (= crates (initnext (map (--> p (Crate 0 0 false p)) (list (Position 3 3) (Position 5 5) (Position 6 3)))
                      (prev crates)))
  (: walker Walker)
  (= walker (initnext (Walker (Position 4 4)) (prev walker)))
  (= rocks (list (Position 3 1) (Position 8 4) (Position 2 7) (Position 5 2) (Position 7 6)))
  (= edge (--> n (or (== n 0) (== n (- GRID_SIZE 1)))))
  (= isWall (--> p (or (or (edge (.. p x)) (edge (.. p y))) (in p rocks))))
  (= walls (initnext (map (--> p (Wall p)) (filter isWall (allPositions GRID_SIZE))) (prev walls)))

  (= crateAt (--> p (any (--> c (== (.. c origin) p)) crates)))
  (= open (--> p (! (or (isWall p) (or (crateAt p) (== p (.. walker origin)))))))
  (= slides (--> c (or (!= (.. c dx) 0) (!= (.. c dy) 0))))
  (= isHome (--> c (any (--> p (== (.. p origin) (.. c origin))) pads)))
  (= sent (--> (c u v) (updateObj (updateObj c "dx" u) "dy" v)))
  (= aheadOf (--> c (movePos (.. c origin) (Position (.. c dx) (.. c dy)))))
  (= slid (--> c (if (open (aheadOf c)) then (updateObj c "origin" (aheadOf c)) else (sent c 0 0))))
  (= marked (--> c (updateObj c "home" (isHome c))))
  (= push (--> (p u v) (= crates (updateObj crates (--> c (sent c u v)) (--> c (== (.. c origin) p))))))

  ; a crate that was pushed slides until something stops it; meanwhile none can be pushed
  (= go (--> (u v) (let
    (= there (movePos (.. walker origin) (Position u v)))
    (if (open there) then (= walker (move walker (Position u v)))
      else (if (& (crateAt there) (! (any slides crates))) then (push there u v) else false)))))

  (on (any slides crates) (= crates (updateObj (updateObj crates slid slides) marked)))
  (on left (go -1 0))
  (on right (go 1 0))
  (on up (go 0 -1))
  (on down (go 0 1)))
