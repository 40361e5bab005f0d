(program
  (= GRID_SIZE 16)
  (= background "cornsilk")
  (= STAMPS 12)
  (= CHIPS 30)

  (object Chip (Cell 0 0 "peru"))
  (object Termite (: laden Bool) (Cell 0 0 (if laden then "darkred" else "salmon")))

  (: chips (List Chip))
  (= chips (initnext (map (--> p (Chip p)) (randomPositions GRID_SIZE CHIPS)) (prev chips)))
  (: stamps Number)
  (= stamps (initnext 0 (prev stamps)))
  (: termites (List Termite))
  (= termites (initnext (map (--> p (Termite false p)) (randomPositions GRID_SIZE 5)) (updateObj (prev termites) roam)))

  (= chipAt (--> p (any (--> c (== (.. c origin) p)) chips)))
  (= without (--> p (filter (--> c (!= (.. c origin) p)) chips)))
  ; a chip is taken up, and put down where the termite finds another one
  (= roam (--> t (let
    (= spot (uniformChoice (adjPositions (.. t origin))))
    (if (! (chipAt spot)) then (Termite (.. t laden) spot) else
    (if (! (.. t laden)) then (let (= chips (without spot)) (Termite true spot)) else
    (if (chipAt (.. t origin)) then t else
    (let (= chips (addObj chips (Chip (.. t origin)))) (Termite false (.. t origin)))))))))
  (= scurry (--> along (let
    (= stamps (+ stamps 1))
    (= way (if (> stamps STAMPS) then (deltaPos along (Position 0 0)) else along))
    (= termites (updateObj termites (--> t
    (if (isWithinBounds (move t way)) then (move t way) else t)))))))

  (on left (scurry (Position -1 0)))
  (on right (scurry (Position 1 0)))
  (on up (scurry (Position 0 -1)))
  (on down (scurry (Position 0 1)))
  (on clicked (= chips (if (chipAt click) then (without click) else (addObj chips (Chip click))))))
