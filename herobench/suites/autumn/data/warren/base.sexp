(program
  (= GRID_SIZE 10)
  (= REST 6)

  (object Hare (Cell 0 0 "white"))
  (object Fox (Cell 0 0 "orangered"))
  (object Hole (Cell 0 0 "saddlebrown"))
  (object Hedge (Cell 0 0 "darkgreen"))
  (object Cabbage (Cell 0 0 "limegreen"))

  (= hedges (map (--> p (Hedge p)) (addObj (rect (Position 2 4) (Position 5 5)) (rect (Position 6 5) (Position 7 8)))))

  (: burrows (List Hole))
  (= burrows (initnext (map (--> p (Hole p)) (list (Position 1 1) (Position 8 2) (Position 4 8))) (prev burrows)))
  (: cabbages (List Cabbage))
  (= cabbages (initnext (list (Cabbage (Position 7 0))) (prev cabbages)))
  (= hare (initnext (Hare (Position 5 2)) (prev hare)))
  (= fox (initnext (Fox (Position 0 9)) (prev fox)))
  (: rest Number)
  (= rest (initnext 0 (max 0 (- (prev rest) 1))))
  (: time Number)
  (= time (initnext 0 (- 1 (prev time))))

  (= blocked (--> who (| (! (isWithinBounds who)) (intersects who hedges))))
  (= step (--> (who way) (if (blocked (move who way)) then who else (move who way))))
  (= entered (fn () (head (filter (--> i (intersects hare (at burrows i))) (range 0 3)))))

  (on left (= hare (step hare (Position -1 0))))
  (on right (= hare (step hare (Position 1 0))))
  (on up (= hare (step hare (Position 0 -1))))
  (on down (= hare (step hare (Position 0 1))))
  (on (& (!= hare (prev hare)) (intersects hare burrows))
    (= hare (Hare (.. (at burrows (% (+ ((entered)) 1) 3)) origin))))
  (on (intersects hare cabbages) (let
    (= cabbages (filter (--> c (! (intersects c hare))) cabbages))
    (= rest REST)))
  (on (& (== rest 0) (== time 0)) (= fox (step fox (unitVector fox hare))))
  (on (intersects hare fox) (let
    (= hare (Hare (Position 5 2)))
    (= fox (Fox (Position 0 9)))))
  (on (& clicked (& (isFreePos click) (< (length cabbages) 4))) (= cabbages (addObj cabbages (Cabbage click)))))
