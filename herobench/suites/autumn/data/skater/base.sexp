(program
  (= GRID_SIZE 25)
  (= background "lightcyan")
  (= GLIDE 7)

  (object Skater (Cell 0 0 "crimson"))
  (object Heap (Cell 0 0 "steelblue"))

  (: heaps (List Heap))
  (= heaps (initnext (list) (prev heaps)))
  (= skater (initnext (Skater (Position 12 12)) (move (prev skater) (Position across along))))
  (: across Number)
  (= across (initnext 0 (prev across)))
  (: along Number)
  (= along (initnext 0 (prev along)))
  (: time Number)
  (= time (initnext 1 (% (+ (prev time) 1) GLIDE)))

  (= beyond (--> place (| (< place 0) (>= place GRID_SIZE))))
  (= ahead (fn () (move skater (Position across along))))

  (on left (= across (max -2 (- across 1))))
  (on right (= across (min 2 (+ across 1))))
  (on up (= along (max -2 (- along 1))))
  (on down (= along (min 2 (+ along 1))))
  (on (== time 0) (let (= across (- across (sign across))) (= along (- along (sign along)))))
  (on (beyond (+ (.. (.. skater origin) x) across)) (= across (- across)))
  (on (beyond (+ (.. (.. skater origin) y) along)) (= along (- along)))
  (on (intersects ((ahead)) heaps) (let
    (= heaps (filter (--> h (! (intersects h ((ahead))))) heaps))
    (= across 0)
    (= along 0)))
  (on (& clicked (isFreePos click)) (= heaps (addObj heaps (Heap click)))))
