(program
  (= GRID_SIZE 9)
  (object Bead (: color String) (Cell 0 0 color))

  (= palette (list "red" "orange" "yellow" "limegreen" "cyan" "blue" "purple" "pink" "white" "brown" "gray" "tan"))
  (= onRing (--> (p c) (let (= u (- (.. p x) c)) (= v (- (.. p y) c))
    (& (& (& (>= u 0) (<= u 3)) (& (>= v 0) (<= v 3))) (or (or (== u 0) (== u 3)) (or (== v 0) (== v 3)))))))
  (= placed (filter (--> p (or (onRing p 1) (onRing p 3))) (allPositions GRID_SIZE)))

  (: beads (List Bead))
  (= beads (initnext (map (--> i (Bead (at palette (% (* 5 i) 12)) (at placed i))) (range 0 (length placed)))
                     (prev beads)))
  (: forward Bool)
  (= forward (initnext true (prev forward)))

  ; the next place on a ring whose upper left corner is (c, c), with the clock and against it
  (= withClock (--> (u v) (if (& (== v 0) (< u 3)) then (Position 1 0) else (if (& (== u 3) (< v 3)) then (Position 0 1)
    else (if (& (== v 3) (> u 0)) then (Position -1 0) else (Position 0 -1))))))
  (= against (--> (u v) (if (& (== u 0) (< v 3)) then (Position 0 1) else (if (& (== v 3) (< u 3)) then (Position 1 0)
    else (if (& (== u 3) (> v 0)) then (Position 0 -1) else (Position -1 0))))))
  (= stepped (--> (b c) (let (= u (- (.. (.. b origin) x) c)) (= v (- (.. (.. b origin) y) c))
    (move b (if forward then (withClock u v) else (against u v))))))
  (= turned (--> (bs c) (updateObj bs (--> b (stepped b c)) (--> b (onRing (.. b origin) c)))))

  (on up (= forward (! forward)))
  (on left (= beads (turned beads 1)))
  (on right (= beads (turned beads 3)))
  ; the two beads at the crossings change places
  (on (& clicked (& (onRing click 1) (onRing click 3)))
    (= beads (updateObj beads (--> b (updateObj b "origin" (Position (.. (.. b origin) y) (.. (.. b origin) x))))
                              (--> b (& (onRing (.. b origin) 1) (onRing (.. b origin) 3)))))))
