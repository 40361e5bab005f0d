(program
  (= GRID_SIZE 16)
  (= EATEN 5)
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
  (: eaten Number)
  (= eaten (initnext 0 (+ (prev eaten) (length (filter (--> m (intersects m snail)) (prev moss))))))
  (: shown Bool)
  (= shown (initnext false (prev shown)))
  (= snail (initnext (Snail (Position 1 1)) (prev snail)))

  (= mirrored (--> (from spot) (movePos from (deltaPos spot from))))
  (= shoot (--> (from spot)
    (if (! (isFreePos spot)) then (list) else
    (if (twice from spot) then (list (Moss spot) (Moss (mirrored from spot))) else (list (Moss spot))))))
  (= twice (--> (from spot) (let
    (= other (Moss (mirrored from spot)))
    (= both (& (>= (prev eaten) EATEN) (& (isWithinBounds other) (isFree other))))
    (= shown (| shown both))
    both)))
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
