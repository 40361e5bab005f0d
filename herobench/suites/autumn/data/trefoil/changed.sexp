(program
  (= GRID_SIZE 3)
  (object Tile (: tone Number)
    (Cell 0 0 (if (== tone 0) then "crimson" else (if (== tone 1) then "gold" else "steelblue"))))

  (: tiles (List Tile))
  (= tiles (initnext (map (--> p (Tile (% (* (.. p x) (.. p y)) 3) p)) (allPositions GRID_SIZE)) (prev tiles)))

  (= turned (--> (t n) (updateObj t "tone" (% (+ (.. t tone) n) 3))))
  (= wrap (--> n (% (+ n GRID_SIZE) GRID_SIZE)))
  (= rolled (--> (t dx dy)
    (updateObj t "origin" (Position (wrap (+ (.. (.. t origin) x) dx)) (wrap (+ (.. (.. t origin) y) dy))))))

  (= fired false)
  (= presses 0)
  (= centre (Position 1 1))
  (= atCorner (--> p (& (!= (.. p x) 1) (!= (.. p y) 1))))
  (= turn (fn () (if (& (> presses 2) (atCorner click)) then (let (= fired true) 2) else 1)))

  ; a press turns a tile and those beside it, an arrow rolls the whole sheet
  (on (& clicked (== click centre)) (= presses (+ presses 1)))
  (on clicked (= tiles (updateObj (prev tiles) (--> t (turned t ((turn))))
    (--> t (adjacentPoss (.. t origin) click 1)))))
  (on left (= tiles (updateObj (prev tiles) (--> t (rolled t -1 0)))))
  (on right (= tiles (updateObj (prev tiles) (--> t (rolled t 1 0)))))
  (on up (= tiles (updateObj (prev tiles) (--> t (rolled t 0 -1)))))
  (on down (= tiles (updateObj (prev tiles) (--> t (rolled t 0 1))))))
