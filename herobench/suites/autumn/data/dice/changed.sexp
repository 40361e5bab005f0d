(program
  (= GRID_SIZE 8)
  (= FACES 4)

  (object Pip (Cell 0 0 "white"))
  (object Base (: held Bool) (Cell 0 0 (if held then "orange" else "steelblue")))
  (object Lamp (: lit Bool) (map (--> i (Cell i 0 (if lit then "yellow" else "darkgray"))) (range 0 8)))

  (: bases (List Base))
  (= bases (initnext (map (--> i (Base false (Position (* 2 i) 7))) (range 0 4)) (prev bases)))
  (= faces (initnext (list 1 2 3 4) (prev faces)))
  (: pips (List Pip))
  (= pips (initnext ((stacked)) ((stacked))))
  (: lamp Lamp)
  (= lamp (initnext (Lamp false (Position 0 0)) (Lamp ((allEqual)) (Position 0 0))))

  (= stackOf (--> i (map (--> j (Pip (Position (* 2 i) (- 6 j)))) (range 0 (at faces i)))))
  (= stacked (fn () (concat (map stackOf (range 0 4)))))
  (= allEqual (fn () (! (any (--> f (!= f (head faces))) faces))))
  (= isHeld (--> i (.. (at bases i) held)))
  (= rolls 0)
  (= fired false)
  (= worn (--> n (if (& (> rolls 5) (> n 1)) then (let (= fired true) (- n 1)) else n)))
  (= rolled (--> i (if (isHeld i) then (worn (at faces i)) else (uniformChoice (range 1 (+ FACES 1))))))
  (= column (--> p (.. (.. p origin) x)))

  (= forHeld (--> f (= faces (map (--> i (if (isHeld i) then (f (at faces i)) else (at faces i))) (range 0 4)))))

  ; a click in a column holds it or lets it go; up rolls the others, down turns the held ones over, right adds a pip
  (on clicked (= bases (updateObj bases (--> b (updateObj b "held" (! (.. b held))))
    (--> b (== (column b) (.. click x))))))
  (on up (let (= rolls (+ rolls 1)) (= faces (map rolled (range 0 4)))))
  (on down (forHeld (--> n (- (+ FACES 1) n))))
  (on right (forHeld (--> n (+ (% n FACES) 1))))
  (on left (= bases (updateObj bases (--> b (updateObj b "held" false))))))
