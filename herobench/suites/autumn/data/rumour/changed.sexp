(program
  (= GRID_SIZE 16)
  (= FORGET 24)
  (= HEARD 8)
  (= PEOPLE 12)

  (object Person (: age Number)
    (Cell 0 0 (if (< age 0) then "silver" else (if (< age FORGET) then "orange" else "slateblue"))))
  (object Well (list (Cell 0 0 "cyan") (Cell 1 0 "cyan") (Cell 0 1 "cyan") (Cell 1 1 "cyan")))

  (= well (Well (Position 7 7)))
  (: people (List Person))
  (= people (initnext (map (--> p (Person -1 p)) (randomPositions GRID_SIZE PEOPLE)) (updateObj (prev people) live)))
  (: heard Number)
  (= heard (initnext 0 (+ (prev heard) (length (filter (--> p (& (< (.. p age) 0) (hears p))) (prev people))))))
  (: shown Bool)
  (= shown (initnext false (| (prev shown) (& (> call 0) (any (--> p (!= (answer p) (gather p))) (prev people))))))
  (: call Number)
  (= call (initnext 0 (max 0 (- (prev call) 1))))

  (= tells (--> p (& (>= (.. p age) 0) (< (.. p age) FORGET))))
  (= hears (--> p (any (--> q (& (tells q) (adjacentTwoObjs p q 1))) (prev people))))
  (= aged (--> p (updateObj p "age"
    (if (< (.. p age) 0) then (if (hears p) then 0 else -1) else
    (if (> (.. p age) (* 2 FORGET)) then -1 else (+ (.. p age) 1))))))
  (= stroll (--> p (uniformChoice (adjPositions (.. p origin)))))
  (= gather (--> p (movePos (.. p origin) (unitVector p well))))
  (= scatter (--> p (let
    (= away (movePos (.. p origin) (deltaPos (unitVector p well) (Position 0 0))))
    (if (isWithinBounds (Person 0 away)) then away else (.. p origin)))))
  (= answer (--> p (if (< (prev heard) HEARD) then (gather p) else (scatter p))))
  (= live (--> p (updateObj (aged p) "origin" (if (> call 0) then (answer p) else (stroll p)))))

  (on up (= call 5))
  (on clicked (= people (updateObj (updateObj people live) (--> p
    (if (adjacentPoss (.. p origin) click 2) then (updateObj p "age" 0) else p))))))
