(program
  (= GRID_SIZE 5)
  (= TURNS 6)

  (object Marble (: tint String) (Cell 0 0 tint))
  (object Peg (Cell 0 0 "gray"))

  (= peg (initnext (Peg (Position 2 2)) (prev peg)))
  (: marbles (List Marble))
  (= marbles (initnext (list (Marble "red" (Position 0 0)) (Marble "blue" (Position 4 2))
                             (Marble "gold" (Position 1 4)))
                       (updateObj (prev marbles) (--> m
                         (if (& (>= turns TURNS) (== (.. m tint) "gold")) then m else (roll m))))))
  (: slope String)
  (= slope (initnext "flat" (prev slope)))
  (: turns Number)
  (= turns (initnext 0 (if (== slope (prev slope)) then (prev turns) else (+ (prev turns) 1))))
  (: shown Bool)
  (= shown (initnext false (| (prev shown) (!= marbles (updateObj (prev marbles) roll)))))

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
