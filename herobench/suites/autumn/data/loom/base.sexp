(program
  (= GRID_SIZE 16)
  (= DYES 3)

  (object Thread (: dye Number) (Cell 0 0 (at (list "black" "crimson" "gold") dye)))

  (: warp (List Thread))
  (= warp (initnext (map (--> x (Thread (if (== x 7) then 1 else 0) (Position x 0))) (range 0 GRID_SIZE)) (prev warp)))
  (: cloth (List Thread))
  (= cloth (initnext (list) (prev cloth)))

  (= dyeAt (--> x (.. (at warp (% (+ x GRID_SIZE) GRID_SIZE)) dye)))
  (= mixed (--> x (% (+ (+ (dyeAt (- x 1)) (dyeAt x)) (dyeAt (+ x 1))) DYES)))
  (= dyed (--> how (map (--> x (Thread (how x) (Position x 0))) (range 0 GRID_SIZE))))

  (on down (let
    (= cloth (addObj (updateObj (filter (--> t (< (.. (.. t origin) y) 15)) cloth) moveDown)
                     (updateObj (filter (--> t (> (.. t dye) 0)) warp) moveDown)))
    (= warp (dyed mixed))))
  (on left (= warp (dyed (--> x (dyeAt (+ x 1))))))
  (on right (= warp (dyed (--> x (dyeAt (- x 1))))))
  (on (clicked warp) (= warp (updateObj warp (--> t
    (if (clicked t) then (updateObj t "dye" (% (+ (.. t dye) 1) DYES)) else t))))))
