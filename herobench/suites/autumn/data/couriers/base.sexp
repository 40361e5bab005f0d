(program
  (= GRID_SIZE 16)

  (object House (: tint String) (: pale String) (: flag String)
    (map (--> p (Cell (.. p x) (.. p y) (if (& (== (.. p x) 0) (== (.. p y) 0)) then flag else tint)))
         (rect (Position -1 -1) (Position 2 2))))
  (object Courier (: task String) (: goal Number) (: letter String) (Cell 0 0 letter))

  (: houses (List House))
  (= houses (initnext (list (House "crimson" "lightcoral" "black" (Position 2 2))
                            (House "royalblue" "lightskyblue" "black" (Position 13 2))
                            (House "gold" "khaki" "black" (Position 13 13))
                            (House "green" "lightgreen" "black" (Position 2 13)))
                      (prev houses)))
  (: couriers (List Courier))
  (= couriers (initnext (list (Courier "wait" 0 "gray" (Position 6 7)) (Courier "wait" 0 "gray" (Position 9 8)))
                        (prev couriers)))
  (: orders (List Number))
  (= orders (initnext (list) (prev orders)))
  (: habit String)
  (= habit (initnext "across" (prev habit)))

  (= flagged (--> (number sign) (= houses (map (--> i
    (if (== i number) then (updateObj (at houses i) "flag" sign) else (at houses i))) (range 0 4)))))
  (= waiting (--> c (== (.. c task) "wait")))
  (= place (--> c (.. (at houses (.. c goal)) origin)))
  (= arrived (--> c (== (.. c origin) (place c))))
  (= walk (--> c (let
    (= way (deltaPos (.. c origin) (place c)))
    (if (& (== habit "along") (!= (.. way y) 0)) then (move c (Position 0 (sign (.. way y))))
     else (move c (unitVectorObjPos c (place c)))))))
  (= collect (--> c (let
    (= letter (.. (at houses (.. c goal)) pale))
    (flagged (.. c goal) "black")
    (Courier "bring" (% (+ (.. c goal) 1) 4) letter (.. c origin)))))
  (= deliver (--> c (let
    (flagged (.. c goal) (.. c letter))
    (Courier "wait" 0 "gray" (.. c origin)))))
  (= serve (--> c
    (if (waiting c) then c else
    (if (! (arrived c)) then (walk c) else
    (if (== (.. c task) "fetch") then (collect c) else (deliver c))))))
  (= send (--> who (let
    (= goal (head orders))
    (= orders (map (--> i (at orders i)) (range 1 (length orders))))
    (= couriers (map (--> i
      (if (== i who) then (Courier "fetch" goal "gray" (.. (at couriers i) origin)) else (at couriers i)))
      (range 0 (length couriers)))))))

  (on (| left right) (= habit "across"))
  (on (| up down) (= habit "along"))
  (on (clicked houses) (let
    (= called (filter (--> i (clicked (at houses i))) (range 0 4)))
    (= orders (concat (list (filter (--> i (! (in i called))) orders) called)))
    (flagged (head called) "white")))
  (on true (= couriers (updateObj couriers serve)))
  (on (& (!= orders (list)) (any waiting couriers))
    (send (head (filter (--> i (waiting (at couriers i))) (range 0 (length couriers)))))))
