(program
  (= GRID_SIZE 16)
  (object Dial (: places Number) (: hand Number) (: color String)
    (map (--> i (Cell i 0 (if (== i hand) then color else "darkgray"))) (range 0 places)))

  (= LONG 11)
  (= MIDDLE 9)
  (= SHORT 7)
  (: dials (List Dial))
  (= dials (initnext
    (list (Dial SHORT 1 "red" (Position 2 3)) (Dial MIDDLE 2 "gold" (Position 2 7))
          (Dial LONG 3 "cyan" (Position 2 11)))
    (prev dials)))

  (= handOf (--> k (.. (at (prev dials) k) hand)))
  (= onBy (--> (d n) (updateObj d "hand" (% (+ (.. d hand) n) (.. d places)))))
  (= dial (--> k (at (prev dials) k)))
  (= pushed (--> (k n) (= dials (map (--> i (if (== i k) then (onBy (dial i) n) else (dial i))) (range 0 3)))))

  (= fired false)
  (= rounds 0)
  (= going (fn () (if (> rounds 2) then (let (= fired true) -1) else 1)))
  (= back (--> (d n) (updateObj d "hand" (% (+ (.. d hand) (+ n (.. d places))) (.. d places)))))

  ; up moves all hands by one; the other arrows add one hand to another
  (on up (let (= way ((going))) (= dials (map (--> d (back d way)) (prev dials)))))
  (on (& up (== (handOf 0) (- SHORT 1))) (= rounds (+ rounds 1)))
  (on left (pushed 0 (handOf 1)))
  (on right (pushed 1 (handOf 2)))
  (on down (pushed 2 (handOf 0))))
