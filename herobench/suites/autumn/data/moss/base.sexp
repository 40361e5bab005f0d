(program
  (= GRID_SIZE 16)
  (= background "wheat")

  (object Moss (Cell 0 0 "forestgreen"))
  (object Stone (Cell 0 0 "gray"))
  (object Snail (Cell 0 0 "purple"))

  (: stones (List Stone))
  (= stones (initnext (map (--> p (Stone p)) (addObj (rect (Position 3 7) (Position 7 8))
                                                          (rect (Position 10 4) (Position 11 9))))
                      (prev stones)))
  (: moss (List Moss))
  (= moss (initnext (list (Moss (Position 8 8)) (Moss (Position 8 9)))
                    (filter (--> m (! (intersects m snail))) (addObj (prev moss) (grown (prev moss))))))
  (= snail (initnext (Snail (Position 1 1)) (prev snail)))

  (= shoot (--> (from spot) (if (isFreePos spot) then (list (Moss spot)) else (list))))
  (= grown (--> old
    (if (== old (list)) then (list) else
    (let (= from (.. (uniformChoice old) origin)) (shoot from (uniformChoice (adjPositions from)))))))
  (= crawl (--> (x y) (let
    (= there (move snail (Position x y)))
    (if (& (isWithinBounds there) (! (intersects there stones))) then (= snail there) else snail))))

  (on left (crawl -1 0))
  (on right (crawl 1 0))
  (on up (crawl 0 -1))
  (on down (crawl 0 1))
  (on (& clicked (isFreePos click)) (= moss (addObj (prev moss) (Moss click))))
  (on (clicked stones) (= stones (filter (--> s (! (clicked s))) stones))))
