(program
  (= GRID_SIZE 21)
  (= background "navy")
  (= FLAKES 10)

  (object Flake (Cell 0 0 "lightblue"))
  (object Ice (: ring Number)
    (Cell 0 0 (at (list "white" "paleturquoise" "turquoise" "lightseagreen" "teal") (% ring 5))))

  (: flakes (List Flake))
  (= flakes (initnext (map (--> p (Flake p)) (randomPositions GRID_SIZE FLAKES)) (updateObj (prev flakes) wander)))
  (: ice (List Ice))
  (= ice (initnext (list (Ice 0 (Position 10 10))) (prev ice)))

  (= wander (--> f (Flake (uniformChoice (adjPositions (.. f origin))))))
  (= touches (--> f (adj f ice 1)))
  (= frozen (--> f (let (= core (closest f ice)) (Ice (+ (.. core ring) 1) (.. f origin)))))

  (on (& (any touches flakes) (< (length ice) 120)) (let
    (= caught (filter touches flakes))
    (= ice (addObj ice (map frozen (filter (--> f (! (intersects f ice))) caught))))
    (= flakes (addObj (updateObj (filter (--> f (! (touches f))) flakes) wander)
                      (map (--> p (Flake (Position (.. p x) 0))) (randomPositions GRID_SIZE (length caught)))))))
  (on (& clicked (isFreePos click)) (= ice (addObj ice (Ice 0 click))))
  (on left (= flakes (updateObj flakes (--> f (if (> (.. (.. f origin) x) 0) then (moveLeft f) else f)))))
  (on right (= flakes (updateObj flakes (--> f (if (< (.. (.. f origin) x) 20) then (moveRight f) else f))))))
