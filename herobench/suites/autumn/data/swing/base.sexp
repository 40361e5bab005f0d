(program
  (= GRID_SIZE 11)
  (= FRICTION 30)

  (object Bob (: spot Number) (: cord Number)
    (list (Cell (sideways spot 1) (hanging spot cord) "orange")
          (Cell (sideways spot 2) (/ (hanging spot cord) 2) "tan")
          (Cell 0 0 "gray")))
  (object Bell (: ring Number) (Cell 0 0 (if (> ring 0) then "gold" else "darkgreen")))

  (= widths (list 0 2 3 4 5))
  (= depths (list 8 8 7 6 5))
  (= sideways (--> (place part) (* (sign place) (/ (at widths (abs place)) part))))
  (= hanging (--> (place wound) (- (at depths (abs place)) wound)))

  (= bob (initnext (Bob 2 0 (Position 5 0)) (updateObj (prev bob) "spot" (swung (.. (prev bob) spot)))))
  (: bells (List Bell))
  (= bells (initnext (list (Bell 0 (Position 0 3)) (Bell 0 (Position 10 3)))
                     (updateObj (prev bells) (--> b (updateObj b "ring" (max 0 (- (.. b ring) 1)))))))
  (: reach Number)
  (= reach (initnext 2 (prev reach)))
  (: way Number)
  (= way (initnext -1 (prev way)))
  (: time Number)
  (= time (initnext 1 (% (+ (prev time) 1) FRICTION)))

  (= swung (--> place (let
    (= way (if (>= (* way place) reach) then (- way) else way))
    (+ place (if (== reach 0) then (- (sign place)) else way)))))
  ; a push helps only in the direction in which the bob moves
  (= push (--> aim
    (if (== reach 0) then (let (= reach 1) (= way aim)) else
    (= reach (if (== way aim) then (min 4 (+ reach 1)) else (- reach 1))))))

  (= wind (--> by (= bob (updateObj bob "cord" (max 0 (min 2 (+ (.. bob cord) by)))))))

  (on (== time 0) (= reach (max 0 (- reach 1))))
  (on left (push -1))
  (on right (push 1))
  (on up (wind 1))
  (on down (wind -1))
  (on (clicked bob) (= reach 0))
  (on (== (abs (.. bob spot)) 4)
    (= bells (updateObj bells (--> b (if (== (> (.. bob spot) 0) (> (.. (.. b origin) x) 5))
                                      then (updateObj b "ring" 3) else b)))))
  (on (& (clicked bells) (== reach 0)) (let (= reach 4) (= way (if (clicked (head bells)) then -1 else 1)))))
