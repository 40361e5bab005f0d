(program
  (= GRID_SIZE 7)

  (object Moth (Cell 0 0 "white"))
  (object Lantern (: lit Bool) (Cell 0 0 (if lit then "gold" else "brown")))

  (= moth (initnext (Moth (Position 3 3)) (flutter (prev moth))))
  (= lantern (initnext (Lantern true (Position 1 1)) (prev lantern)))
  (: clicks Number)
  (= clicks (initnext 0 (prev clicks)))

  (: shown Bool)
  (= shown (initnext false (| (prev shown) (& (>= (prev clicks) 3) (! (.. lantern lit))))))

  (= flutter (--> m (let
    (= there (Moth (uniformChoice (adjPositions (.. m origin)))))
    (if (| (>= (prev clicks) 3) (.. lantern lit)) then there else m))))
  (on left (= lantern (moveLeftNoCollision lantern)))
  (on right (= lantern (moveRightNoCollision lantern)))
  (on up (= lantern (moveUpNoCollision lantern)))
  (on down (= lantern (moveDownNoCollision lantern)))
  (on (clicked lantern) (let
    (= lantern (updateObj lantern "lit" (! (.. lantern lit))))
    (= clicks (+ clicks 1)))))
