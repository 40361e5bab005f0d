(program
  (= GRID_SIZE 16)
  (= background "midnightblue")

  (object Flake (Cell 0 0 "white"))
  (object Snow (Cell 0 0 "lightgray"))

  (: snow (List Snow))
  (= snow (initnext (map (--> x (Snow (Position x 15))) (range 3 9)) ((covered))))
  (: flakes (List Flake))
  (= flakes (initnext (list) (addObj (updateObj (filter falls (prev flakes)) drift) ((fresh)))))
  (: wind Number)
  (= wind (initnext 0 (prev wind)))
  (: time Number)
  (= time (initnext 0 (+ (prev time) 1)))

  (= falls (--> f (& (< (.. (.. f origin) y) 15) (isFreePos (moveDownPos (.. f origin))))))
  (= blown (--> (f by) (updateObj f "origin" (Position (% (+ (+ (.. (.. f origin) x) by) GRID_SIZE) GRID_SIZE)
                                                       (+ (.. (.. f origin) y) 1)))))
  (= drift (--> f (if (isFree (blown f wind)) then (blown f wind) else (moveDown f))))
  (= fresh (fn ()
    (if (== (% time 2) 0) then (list (Flake (Position (uniformChoice (range 0 GRID_SIZE)) 0))) else (list))))
  (= covered (fn ()
    (addObj (prev snow) (map (--> f (Snow (.. f origin))) (filter (--> f (! (falls f))) (prev flakes))))))

  (on left (= wind (max -1 (- wind 1))))
  (on right (= wind (min 1 (+ wind 1))))
  (on down (= snow (filter isWithinBounds (updateObj ((covered)) moveDown))))
  (on (clicked snow) (= snow (filter (--> s (!= (.. (.. s origin) x) (.. click x))) ((covered))))))
