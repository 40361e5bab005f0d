(program
  (= GRID_SIZE 6)
  (= LIMIT 3)

  (object Cart (Cell 0 0 "red"))
  (object Lamp (: lit Bool) (Cell 0 0 (if lit then "gold" else "gray")))

  (= cart (initnext (Cart (Position 0 0)) (prev cart)))
  (: lamps (List Lamp))
  (= lamps (initnext (map (--> p (Lamp false p)) (list (Position 2 2) (Position 4 1) (Position 1 4)))
    (updateObj (prev lamps) (--> l (if (& (< (prev count) LIMIT) (intersects l cart)) then (updateObj l "lit" (! (.. l lit))) else l)))))
  (: count Number)
  (= count (initnext 0 (if (intersects (prev lamps) cart) then (+ (prev count) 1) else (prev count))))

  (: shown Bool)
  (= shown (initnext false (| (prev shown) (& (>= (prev count) LIMIT) (intersects (prev lamps) cart)))))

  (= go (--> (dx dy) (let
    (= there (move cart (Position dx dy)))
    (if (isWithinBounds there) then there else cart))))
  (on left (= cart (go -1 0)))
  (on right (= cart (go 1 0)))
  (on up (= cart (go 0 -1)))
  (on down (= cart (go 0 1)))
  (on (clicked lamps) (= cart (Cart (Position 0 0)))))
