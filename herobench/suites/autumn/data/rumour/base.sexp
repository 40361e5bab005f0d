(program
  (= GRID_SIZE 16)
  (= FORGET 24)
  (= PEOPLE 12)

  (object Person (: age Number)
    (Cell 0 0 (if (< age 0) then "silver" else (if (< age FORGET) then "orange" else "slateblue"))))
  (object Well (list (Cell 0 0 "cyan") (Cell 1 0 "cyan") (Cell 0 1 "cyan") (Cell 1 1 "cyan")))

  (= well (Well (Position 7 7)))
  (: people (List Person))
  (= people (initnext (map (--> p (Person -1 p)) (randomPositions GRID_SIZE PEOPLE)) (updateObj (prev people) live)))
  (: call Number)
  (= call (initnext 0 (max 0 (- (prev call) 1))))

  (= tells (--> p (& (>= (.. p age) 0) (< (.. p age) FORGET))))
  (= hears (--> p (any (--> q (& (tells q) (adjacentTwoObjs p q 1))) (prev people))))
  (= aged (--> p (updateObj p "age"
    (if (< (.. p age) 0) then (if (hears p) then 0 else -1) else
    (if (> (.. p age) (* 2 FORGET)) then -1 else (+ (.. p age) 1))))))
  (= stroll (--> p (uniformChoice (adjPositions (.. p origin)))))
  (= gather (--> p (movePos (.. p origin) (unitVector p well))))
  (= live (--> p (updateObj (aged p) "origin" (if (> call 0) then (gather p) else (stroll p)))))

  (on up (= call 5))
  (on clicked (= people (updateObj (updateObj people live) (--> p
    (if (adjacentPoss (.. p origin) click 2) then (updateObj p "age" 0) else p))))))
