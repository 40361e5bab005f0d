(program
  (= GRID_SIZE 5)
  (object Tile (: lit Bool) (Cell 0 0 (if lit then "white" else "black")))
  (= tiles (initnext (map (--> p (Tile (== (.. p x) (.. p y)) p)) (allPositions GRID_SIZE)) (prev tiles)))
  (= met (--> (p q) (or (== (.. p x) (.. q x)) (== (.. p y) (.. q y)))))
  (on clicked (= tiles (updateObj (prev tiles) (--> t (updateObj t "lit" (! (.. t lit))))
    (--> t (met (.. t origin) click))))))
