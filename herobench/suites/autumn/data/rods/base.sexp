(program
  (= GRID_SIZE 12)
  (= MELT 30)
  (= SLOW 6)

  (object Piece (: heat Number) (: copper Bool) (Cell 0 0 (glow heat copper)))
  (object Bead (Cell 0 0 "white"))
  (object Flame (: lit Bool) (Cell 0 0 (if lit then "orangered" else "dimgray")))

  (= flame (initnext (Flame true (Position 0 5)) (prev flame)))
  (: pieces (List Piece))
  (= pieces (initnext (concat (list (map (--> x (Piece 0 true (Position (+ x 1) 3))) (range 0 7))
                                    (map (--> x (Piece 0 false (Position (+ x 1) 7))) (range 0 7))))
                      (map (--> i (warmed (at (prev pieces) i) i)) (range 0 14))))
  (: beads (List Bead))
  (= beads (initnext (map (--> i (Bead (Position (+ 2 (* 2 (% i 3))) (+ 4 (* 4 (/ i 3)))))) (range 0 6))
                     (updateObj (prev beads) hang)))

  (= glow (--> (h copper)
    (if (< h 15) then (if copper then "sienna" else "steelblue") else
    (if (< h MELT) then "darkred" else (if (< h 65) then "red" else "gold")))))
  (= heatAt (--> i (.. (at (prev pieces) i) heat)))
  ; the first piece of a rod touches the flame, the last one nothing
  (= before (--> (p i)
    (if (> (% i 7) 0) then (heatAt (- i 1)) else
    (if (& (.. flame lit) (== (.. (.. flame origin) y) (.. (.. p origin) y))) then 96 else (.. p heat)))))
  (= after (--> (p i) (if (< (% i 7) 6) then (heatAt (+ i 1)) else (.. p heat))))
  (= warmed (--> (p i) (let
    (= slow (if (.. p copper) then 3 else SLOW))
    (updateObj p "heat" (/ (+ (+ (before p i) (after p i)) (* (- slow 2) (.. p heat))) slow)))))
  (= holds (--> (p b) (& (== (.. p origin) (moveUpPos (.. b origin))) (< (.. p heat) MELT))))
  (= held (--> b (any (--> p (holds p b)) (prev pieces))))
  (= hang (--> b (if (held b) then b else (nextSolid b))))

  (on up (= flame (Flame true (Position 0 3))))
  (on down (= flame (Flame true (Position 0 7))))
  (on left (= flame (updateObj flame "lit" false)))
  (on (clicked pieces) (= pieces (updateObj pieces (--> p (if (clicked p) then (updateObj p "heat" 0) else p)))))
  (on (& (& clicked (isFreePos click)) (< (length beads) 20)) 
    (= beads (addObj (updateObj beads hang) (Bead click)))))
