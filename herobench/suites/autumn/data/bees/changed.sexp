(program
  (= GRID_SIZE 16)
  (= background "mediumseagreen")
  (= LOADS 4)
  (= NECTAR 3)

  (object Hive (map (--> p (Cell (.. p x) (.. p y) "goldenrod")) (rect (Position 0 0) (Position 3 2))))
  (object Flower (: nectar Number) (Cell 0 0 (at (list "mistyrose" "pink" "hotpink" "deeppink") nectar)))
  (object Bee (: full Bool) (: sent Bool) (Cell 0 0 (if full then "orange" else "black")))
  (object Honey (Cell 0 0 "gold"))

  (= hive (Hive (Position 7 5)))
  (: flowers (List Flower))
  (= flowers (initnext (list (Flower NECTAR (Position 3 4)) (Flower NECTAR (Position 12 11))) (prev flowers)))
  (: bees (List Bee))
  (= bees (initnext (map (--> x (Bee false false (Position x 7))) (range 6 11)) (updateObj (prev bees) work)))
  (: loads Number)
  (= loads (initnext 0 (prev loads)))
  (: shown Bool)
  (= shown (initnext false (prev shown)))
  (: news (List Position))
  (= news (initnext (list) (prev news)))
  (: stock (List Honey))
  (= stock (initnext (list) (prev stock)))

  (= visit (--> b (let
    (= flowers (filter (--> f (> (.. f nectar) 0)) (updateObj flowers
      (--> f (if (intersects f b) then (updateObj f "nectar" (- (.. f nectar) 1)) else f)))))
    (= news (list (.. b origin)))
    (Bee true true (.. b origin)))))
  (= store (--> number (if (> (length stock) 30) then stock else
    (= stock (addObj stock (map (--> i (Honey (Position (% i 16) (- 15 (/ i 16)))))
                                (range (length stock) (+ (length stock) number))))))))
  (= unload (--> b (let
    (= loads (+ loads 1))
    (= shown (| shown (& (> loads LOADS) (<= (length stock) 30))))
    (store (if (> loads LOADS) then 2 else 1))
    (Bee false true (.. b origin)))))
  (= search (--> b
    (if (intersects b flowers) then (visit b) else
    (if (& (.. b sent) (& (!= news (list)) (! (in (.. b origin) news))))
    then (move b (unitVectorObjPos b (head news))) else
    (Bee false (& (intersects b hive) (!= news (list))) (uniformChoice (adjPositions (.. b origin))))))))
  (= work (--> b
    (if (! (.. b full)) then (search b) else
    (if (intersects b hive) then (unload b) else (move b (unitVector b hive))))))

  (on (clicked hive) (= stock (list)))
  (on (& clicked (& (isFreePos click) (< (length flowers) 6))) (= flowers (addObj flowers (Flower NECTAR click))))
  (on down (= news (list))))
