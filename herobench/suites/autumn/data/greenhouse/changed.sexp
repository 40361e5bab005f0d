(program
  (= GRID_SIZE 16)
  (= background "black")
  (= TANK 4)
  (object Pot (map (--> p (Cell (.. p x) (.. p y) "saddlebrown")) (rect (Position 0 0) (Position 2 2))))
  (object Plant (: stage Number) (: bloom String) (Cell 0 0 (if (== stage 0) then "tan"
    else (if (== stage 1) then "lightgreen" else (if (== stage 2) then "green"
    else (if (== stage 3) then bloom else "gray"))))))
  (object Roof (map (--> i (Cell i 0 "lightblue")) (range 0 6)))
  (object Drop (Cell 0 0 "blue"))
  (object Picked (: petal String) (Cell 0 0 petal))

  (= places (map (--> i (Position (+ 4 (* 3 (% i 3))) (+ 7 (* 4 (/ i 3))))) (range 0 6)))
  (= pots (initnext (map (--> p (Pot p)) places) (prev pots)))
  (: plants (List Plant))
  (= plants (initnext (list) (prev plants)))
  (: roof Roof)
  (= roof (initnext (Roof (Position 1 4)) (prev roof)))
  (: water Number)
  (= water (initnext 1 (prev water)))
  (: tank (List Drop))
  (= tank (initnext ((filled)) ((filled))))
  (: basket (List Picked))
  (= basket (initnext (list) (prev basket)))

  (= filled (fn () (map (--> i (Drop (Position 0 (- 14 i)))) (range 0 water))))
  (= ripe (--> p (== (.. p stage) 3)))
  (= dead (--> p (> (.. p stage) 3)))
  (= covered (--> p (let (= c (- (.. (.. p origin) x) (.. (.. roof origin) x))) (& (>= c 0) (< c 6)))))
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
  (on (& left (> (.. (.. roof origin) x) 1)) (= roof (moveLeft roof)))
  (on (& right (< (.. (.. roof origin) x) 8)) (= roof (moveRight roof)))
  (on (clicked pots) (let
    (= spot (.. (head (objClicked pots)) origin))
    (= chosen (filter (--> p (== (.. p origin) spot)) plants))
    (if (== (length chosen) 0) then (= plants (addObj plants (Plant 0 "tan" spot)))
      else (if (any (--> p (or (ripe p) (dead p))) chosen) then (take (head chosen)) else false))))

  (= take (--> p (let
    (= plants (removeObj plants (--> q (== (.. q origin) spot))))
    (if (ripe p) then (= basket (addObj basket (Picked (.. p bloom) (Position (% (length basket) 16) 0))))
      else false)))))
