(program
  (= GRID_SIZE 16)

  (object Scribe (Cell 0 0 "white"))
  (object Ink (: fresh Bool) (Cell 0 0 (if fresh then "mediumseagreen" else "gold")))

  (: inks (List Ink))
  (= inks (initnext (list) (prev inks)))
  (= scribe (initnext (Scribe (Position 8 8)) (prev scribe)))
  (: heading Number)
  (= heading (initnext 0 (prev heading)))

  (: stroke String)
  (= stroke (initnext "" (prev stroke)))

  (= ways (list (Position 0 -1) (Position 1 0) (Position 0 1) (Position -1 0)))
  (= wrapped (--> p (Position (% (+ (.. p x) GRID_SIZE) GRID_SIZE) (% (+ (.. p y) GRID_SIZE) GRID_SIZE))))
  (= found (fn () (filter (--> i (== (.. i origin) (.. scribe origin))) inks)))
  (= bare (fn () (filter (--> i (!= (.. i origin) (.. scribe origin))) inks)))
  (= walk (--> turn (let
    (= heading (% (+ heading turn) 4))
    (= scribe (Scribe (wrapped (movePos (.. scribe origin) (at ways heading))))))))

  (on up (= heading 0))
  (on right (= heading 1))
  (on down (= heading 2))
  (on left (= heading 3))
  (on (& clicked (isFreePos click)) (= inks (addObj inks (Ink false click))))
  (on (== ((found)) (list)) (= stroke "write"))
  (on (!= ((found)) (list)) (= stroke (if (.. (head ((found))) fresh) then "gild" else "wipe")))
  (on true (= inks (addObj ((bare))
    (if (== stroke "wipe") then (list) else (list (Ink (== stroke "write") (.. scribe origin)))))))
  (on (== stroke "write") (walk 1))
  (on (== stroke "gild") (walk 3))
  (on (== stroke "wipe") (walk 0)))
