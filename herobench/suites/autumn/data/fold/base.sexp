(program
  (= GRID_SIZE 14)
  (= background "palegreen")
  (= FEAR 3)

  (object Sheep (Cell 0 0 "white"))
  (object Dog (Cell 0 0 "black"))
  (object Fence (Cell 0 0 "sienna"))

  (= fences (map (--> p (Fence p)) (concat (list
    (rect (Position 9 4) (Position 14 5)) (rect (Position 9 9) (Position 14 10))
    (rect (Position 9 5) (Position 10 6)) (rect (Position 9 8) (Position 10 9))))))
  (= dog (initnext (Dog (Position 1 6)) (prev dog)))
  (: flock (List Sheep))
  (= flock (initnext (map (--> p (Sheep p))
                          (list (Position 5 4) (Position 6 5) (Position 4 7) (Position 6 8) (Position 3 10)))
                     (moved (--> s (if (adjacentTwoObjs s dog FEAR) then (flee s) else (graze s))))))

  ; one after the other, so that no two sheep come to one cell
  (= moved (--> how (foldl (--> (done s) (addObj done (settled s (how s) done))) (list) (prev flock))))
  (= settled (--> (s next done)
    (if (& (& (isWithinBounds next) (isFree next)) (! (intersects next done))) then next else s)))
  (= flee (--> s (move s (deltaPos (unitVector s dog) (Position 0 0)))))
  (= penned (--> s (& (> (.. (.. s origin) x) 9) (& (> (.. (.. s origin) y) 4) (< (.. (.. s origin) y) 9)))))
  (= graze (--> s
    (if (penned s) then s else
    (move s (uniformChoice (list (Position 0 0) (Position 0 0) (Position 0 0) (Position 1 0) (Position -1 0)
                                 (Position 0 1) (Position 0 -1)))))))

  (on left (= dog (moveLeftNoCollision dog)))
  (on right (= dog (moveRightNoCollision dog)))
  (on up (= dog (moveUpNoCollision dog)))
  (on down (= dog (moveDownNoCollision dog)))
  (on clicked (= flock (moved flee))))
