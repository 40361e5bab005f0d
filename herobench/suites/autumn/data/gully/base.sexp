(program
  (= GRID_SIZE 16)
  (= background "aliceblue")
  (= ROCKS 5)
  (= SHOWER 3)

  (object Soil (Cell 0 0 "peru"))
  (object Drop (: muddy Bool) (Cell 0 0 (if muddy then "saddlebrown" else "deepskyblue")))
  (object Rock (Cell 0 0 "dimgray"))
  (object Cloud (map (--> i (Cell i 0 "lightslategray")) (range -1 2)))

  (: soil (List Soil))
  (= soil (initnext (map (--> p (Soil p)) (filter hill (allPositions GRID_SIZE))) (prev soil)))
  (: rocks (List Rock))
  (= rocks (initnext (list (Rock (Position 7 7))) (prev rocks)))
  (: drops (List Drop))
  (= drops (initnext (list) (prev drops)))
  (= cloud (initnext (Cloud (Position 3 0)) (prev cloud)))

  (= hill (--> p (>= (.. p y) (+ 8 (abs (- (.. p x) 7))))))
  (= open (--> p (& (isFreePos p) (isWithinBounds (Soil p)))))
  (= ways (--> d (filter open (list (movePos (.. d origin) (Position -1 1)) (movePos (.. d origin) (Position 1 1))))))
  (= under (--> d (moveDownPos (.. d origin))))
  (= falls (--> d (open (under d))))
  (= flows (--> d (& (! (falls d)) (!= (ways d) (list)))))
  (= rests (--> d (! (| (falls d) (flows d)))))
  (= digs (--> d (& (& (flows d) (! (.. d muddy))) (any (--> s (== (.. s origin) (under d))) soil))))
  (= next (--> d
    (if (falls d) then (moveDown d) else (Drop (| (.. d muddy) (digs d)) (uniformChoice (ways d))))))
  (= dug (--> who (map under (filter digs who))))

  (on left (= cloud (if (isWithinBounds (moveLeft cloud)) then (moveLeft cloud) else cloud)))
  (on right (= cloud (if (isWithinBounds (moveRight cloud)) then (moveRight cloud) else cloud)))
  (on true (let
    (= hollow (dug drops))
    (= heap (filter (--> d (& (rests d) (.. d muddy))) drops))
    (= drops (updateObj (filter (--> d (! (rests d))) drops) next))
    (= soil (addObj (filter (--> s (! (in (.. s origin) hollow))) soil) (map (--> d (Soil (.. d origin))) heap)))))
  (on (== (uniformChoice (range 0 SHOWER)) 0)
    (= drops (addObj drops (Drop false (movePos (.. cloud origin) (Position (uniformChoice (range -1 2)) 1))))))
  (on (& clicked (& (isFreePos click) (> (.. click y) 2))) (let
    (= rocks (addObj rocks (Rock click)))
    (= rocks (if (> (length rocks) ROCKS) then (map (--> i (at rocks i)) (range 1 (length rocks))) else rocks)))))
