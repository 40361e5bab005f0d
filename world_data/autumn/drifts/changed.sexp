(program
  (= GRID_SIZE 16)
  (= background "midnightblue")
  (= THAWS 5)

  (object Flake (Cell 0 0 "white"))
  (object Snow (Cell 0 0 "lightgray"))

  (: snow (List Snow))
  (= snow (initnext (map (--> x (Snow (Position x 15))) (range 3 9)) ((covered))))
  (: flakes (List Flake))
  (= flakes (initnext (list) (addObj (updateObj (filter falls (prev flakes)) drift) ((fresh)))))
  (: thaws Number)
  (= thaws (initnext 0 (prev thaws)))
  (: shown Bool)
  (= shown (initnext false
    (| (prev shown) (any (--> f (!= (drift f) (drifted f wind))) (filter falls (prev flakes))))))
  (: wind Number)
  (= wind (initnext 0 (prev wind)))
  (: time Number)
  (= time (initnext 0 (+ (prev time) 1)))

  (= falls (--> f (& (< (.. (.. f origin) y) 15) (isFreePos (moveDownPos (.. f origin))))))
  (= blown (--> (f by) (updateObj f "origin" (Position (% (+ (+ (.. (.. f origin) x) by) GRID_SIZE) GRID_SIZE)
                                                       (+ (.. (.. f origin) y) 1)))))
  (= drifted (--> (f by) (if (isFree (blown f by)) then (blown f by) else (moveDown f))))
  (= drift (--> f (drifted f (if (< (prev thaws) THAWS) then wind else (* 2 wind)))))
  (= fresh (fn ()
    (if (== (% time 2) 0) then (list (Flake (Position (uniformChoice (range 0 GRID_SIZE)) 0))) else (list))))
  (= covered (fn ()
    (addObj (prev snow) (map (--> f (Snow (.. f origin))) (filter (--> f (! (falls f))) (prev flakes))))))

  (on left (= wind (max -1 (- wind 1))))
  (on right (= wind (min 1 (+ wind 1))))
  (on down (let
    (= thaws (+ thaws 1))
    (= snow (filter isWithinBounds (updateObj ((covered)) moveDown)))))
  (on (clicked snow) (= snow (filter (--> s (!= (.. (.. s origin) x) (.. click x))) ((covered))))))
