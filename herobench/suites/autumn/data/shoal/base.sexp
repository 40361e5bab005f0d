(program
  (= GRID_SIZE 16)
  (= background "darkslateblue")
  (= SHOAL 8)

  (object Fish (: way Number) (Cell 0 0 "lightcyan"))
  (object Crumb (Cell 0 0 "gold"))

  (= ways (list (Position 1 0) (Position 0 1) (Position -1 0) (Position 0 -1)))
  (: crumbs (List Crumb))
  (= crumbs (initnext (list) (filter (--> c (! (intersects c (prev fishes)))) (prev crumbs))))
  (: fishes (List Fish))
  (= fishes (initnext (map (--> p (Fish (% (.. p x) 4) p)) (randomPositions GRID_SIZE SHOAL))
                      (if (== (prev crumbs) (list)) then (schooling (prev fishes))
                       else (updateObj (prev fishes) feed))))

  (= wrapped (--> p (Position (% (+ (.. p x) GRID_SIZE) GRID_SIZE) (% (+ (.. p y) GRID_SIZE) GRID_SIZE))))
  (= swim (--> (f by) (updateObj f "origin" (wrapped (movePos (.. f origin) by)))))
  (= follow (--> (f others) (updateObj f "way" (.. (closest f (filter (--> o (!= o f)) others)) way))))
  ; now and then one fish turns, and the others follow the fish next to them
  (= schooling (--> old (let
    (= leader (uniformChoice old))
    (= turn (uniformChoice (range 0 4)))
    (map (--> f (let
      (= led (if (== f leader) then (updateObj f "way" turn) else (follow f old)))
      (swim led (at ways (.. led way))))) old))))
  (= feed (--> f (swim f (unitVector f (closest f (prev crumbs))))))
  (= steer (--> turn (= fishes (updateObj (prev fishes) (--> f (swim (updateObj f "way" turn) (at ways turn)))))))

  (on right (steer 0))
  (on down (steer 1))
  (on left (steer 2))
  (on up (steer 3))
  (on (& clicked (isFreePos click)) (= crumbs (addObj crumbs (Crumb click)))))
