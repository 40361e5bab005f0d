(program
  (= GRID_SIZE 5)

  (object Marble (: tint String) (Cell 0 0 tint))
  (object Peg (Cell 0 0 "gray"))

  (= peg (initnext (Peg (Position 2 2)) (prev peg)))
  (: marbles (List Marble))
  (= marbles (initnext (list (Marble "red" (Position 0 0)) (Marble "blue" (Position 4 2))
                             (Marble "gold" (Position 1 4)))
                       (updateObj (prev marbles) roll)))
  (: slope String)
  (= slope (initnext "flat" (prev slope)))

  ; a marble rolls until something is in its way
  (= roll (--> m
    (if (== slope "west") then (moveLeftNoCollision m) else
    (if (== slope "east") then (moveRightNoCollision m) else
    (if (== slope "north") then (moveUpNoCollision m) else
    (if (== slope "south") then (moveDownNoCollision m) else m))))))

  (on left (= slope "west"))
  (on right (= slope "east"))
  (on up (= slope "north"))
  (on down (= slope "south"))
  (on (clicked peg) (= slope "flat"))
  (on (& clicked (isFreePos click)) (= peg (Peg click))))
