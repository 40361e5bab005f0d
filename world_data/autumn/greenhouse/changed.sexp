(program
  (= GRID_SIZE 16)
  (= background "black")
  (= TANK 4)
  (object Bed (map (--> p (Cell (.. p x) (.. p y) "saddlebrown")) (rect (Position 0 0) (Position 10 8))))
  (object Plant (: stage Number) (: bloom String) (Cell 0 0 (if (== stage 0) then "tan"
    else (if (== stage 1) then "lightgreen" else (if (== stage 2) then "green"
    else (if (== stage 3) then bloom else "gray"))))))
  (object Roof (map (--> i (Cell i 0 "lightblue")) (range 0 5)))
  (object Drop (Cell 0 0 "blue"))
  (object Picked (: petal String) (Cell 0 0 petal))

  (= bed (initnext (Bed (Position 3 6)) (prev bed)))
  (: plants (List Plant))
  (= plants (initnext (list) (prev plants)))
  (: roof Roof)
  (= roof (initnext (Roof (Position 3 4)) (prev roof)))
  (: water Number)
  (= water (initnext 1 (prev water)))
  (: tank (List Drop))
  (= tank (initnext ((filled)) ((filled))))
  (: basket (List Picked))
  (= basket (initnext (list) (prev basket)))

  (= filled (fn () (map (--> i (Drop (Position 0 (- 14 i)))) (range 0 water))))
  (= ripe (--> p (== (.. p stage) 3)))
  (= dead (--> p (> (.. p stage) 3)))
  (= onBed (--> p (& (& (>= (.. p x) 3) (< (.. p x) 13)) (& (>= (.. p y) 6) (< (.. p y) 14)))))
  (= covered (--> p (let (= c (- (.. (.. p origin) x) (.. (.. roof origin) x))) (& (>= c 0) (< c 5)))))
  (= fired false)
  (= blooms 0)
  (= strange (--> c (let (= blooms (+ blooms 1)) (if (> blooms 4) then (let (= fired true) "mediumpurple") else c))))
  (= tint (fn () (strange (uniformChoice (list "red" "gold" "hotpink")))))
  (= older (--> p (updateObj p "stage" (+ (.. p stage) 1))))
  (= grown (--> p (if (== (.. p stage) 2) then (updateObj (older p) "bloom" ((tint))) else (older p))))

  (on (& up (< water TANK)) (= water (+ water 1)))
  ; each watering costs a drop, and reaches what the roof does not cover
  (on (& down (> water 0))
    (let (= water (- water 1)) (= plants (updateObj plants grown (--> p (! (or (covered p) (dead p))))))))
  (on (& left (> (.. (.. roof origin) x) 3)) (= roof (moveLeft roof)))
  (on (& right (< (.. (.. roof origin) x) 8)) (= roof (moveRight roof)))
  (on clicked (let
    (= chosen (objClicked plants))
    (if (& (== (length chosen) 0) (onBed click)) then (= plants (addObj plants (Plant 0 "tan" click)))
      else (if (any (--> p (or (ripe p) (dead p))) chosen) then (take (head chosen)) else false))))

  (= take (--> p (let
    (= plants (removeObj plants (--> q (== (.. q origin) click))))
    (if (ripe p) then (= basket (addObj basket (Picked (.. p bloom) (Position (% (length basket) 16) 0))))
      else false)))))
