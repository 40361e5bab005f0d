(program
  (= GRID_SIZE 20)
  (= background "lightblue")
  (= DAY 40)
  (= DUSK 26)

  ; weed grows, reeds hide tadpoles, lilies keep the frog safe
  (object Plant (: kind String)
    (Cell 0 0 (if (== kind "reed") then "darkolivegreen" else (if (== kind "lily") then "limegreen" else "teal"))))
  (object Tadpole (: meals Number) (Cell 0 0 (if (< meals 2) then "saddlebrown" else "black")))
  (object Frog (: meals Number) (Cell 0 0 (if (< meals 3) then "darkorange" else "gold")))
  (object Fly (: glows Bool) (Cell 0 0 (if glows then "yellow" else "dimgray")))
  (object Heron (: hunts Bool)
    (list (Cell 0 0 (if hunts then "crimson" else "white"))
          (Cell 1 0 "white")
          (Cell 1 -1 "white")))

  ; ---- who is there

  (: reeds (List Plant))
  (= reeds (initnext
    (map (--> p (Plant "reed" p))
         (addObj (rect (Position 2 13) (Position 6 16)) (rect (Position 14 3) (Position 17 5))))
    (prev reeds)))
  (: lilies (List Plant))
  (= lilies (initnext
    (map (--> p (Plant "lily" p))
         (list (Position 9 9) (Position 11 9) (Position 9 11) (Position 11 13) (Position 7 7)))
    (prev lilies)))
  (: weeds (List Plant))
  (= weeds (initnext
    (map (--> p (Plant "weed" p))
         (list (Position 4 4) (Position 5 4) (Position 13 15) (Position 14 15)))
    (prev weeds)))
  (: tadpoles (List Tadpole))
  (= tadpoles (initnext
    (map (--> p (Tadpole 0 p)) (randomPositions GRID_SIZE 4))
    (prev tadpoles)))
  (: flies (List Fly))
  (= flies (initnext
    (list (Fly false (Position 8 4)) (Fly false (Position 12 8)))
    (updateObj (prev flies) buzz)))
  (: frog Frog)
  (= frog (initnext (Frog 0 (Position 9 9)) (prev frog)))
  (: heron Heron)
  (= heron (initnext (Heron false (Position 18 1)) (prev heron)))

  ; ---- what nothing shows

  (: hour Number)
  (= hour (initnext 1 (% (+ (prev hour) 1) DAY)))
  ; ---- plants

  (= light (fn () (< hour DUSK)))
  (= sprout (--> plant (let
    (= spot (uniformChoice (adjPositions (.. plant origin))))
    (if (isFreePos spot) then (list (Plant "weed" spot)) else (list)))))

  (= sown (--> number (map (--> p (Plant "weed" p)) (randomPositions GRID_SIZE number))))

  ; ---- flies

  (= buzz (--> f
    (if (.. f glows) then f else
    (Fly false (uniformChoice (adjPositions (.. f origin)))))))
  (= shine (--> lit (= flies (updateObj flies (--> f (updateObj f "glows" lit))))))

  ; ---- tadpoles

  (= swim (--> t
    (if (== weeds (list)) then t else
    (move t (unitVector t (closest t weeds))))))
  (= browse (--> t
    (if (intersects t weeds) then (updateObj t "meals" (+ (.. t meals) 1)) else t)))
  (= fed (--> weed (! (intersects weed tadpoles))))
  (= grown (--> t (>= (.. t meals) 4)))
  (= spawn (--> number (map (--> p (Tadpole 0 p)) (randomPositions GRID_SIZE number))))

  ; ---- the frog: a hungry one leaps far, and nobody leaps far in the dark

  (= span (fn () (if (& ((light)) (< (.. frog meals) 3)) then 2 else 1)))
  (= leap (--> (x y) (let
    (= landed (move frog (Position (* x ((span))) (* y ((span))))))
    (if (& (isWithinBounds landed) (! (intersects landed reeds))) then (= frog landed) else frog))))
  (= near (--> f (adjacentTwoObjs f frog 1)))

  ; ---- the heron

  (= hidden (--> t (intersects t reeds)))
  (= safe (fn () (intersects frog lilies)))
  (= prey (fn () (addObj
    (map (--> t (.. t origin)) (filter (--> t (! (hidden t))) tadpoles))
    (if ((safe)) then (list) else (list (.. frog origin))))))
  (= stalk (--> h (move h (unitVectorObjPos h (closestPos h ((prey)))))))
  (= retire (--> h (move h (unitVectorObjPos h (Position 18 1)))))
  (= seized (--> t (& (== (.. t origin) (.. heron origin)) (! (hidden t)))))

  ; ---- what happens

  (on (& (< hour DUSK) (> hour 5)) (= heron (updateObj (stalk heron) "hunts" true)))
  (on (| (>= hour DUSK) (<= hour 5)) (= heron (updateObj (retire heron) "hunts" false)))
  (on (any seized tadpoles) (= tadpoles (filter (--> t (! (seized t))) tadpoles)))
  (on left (leap -1 0))
  (on right (leap 1 0))
  (on up (leap 0 -1))
  (on down (leap 0 1))
  (on (& (== (.. frog origin) (.. heron origin)) (! ((safe)))) (= frog (Frog 0 (Position 9 9))))
  (on (any near flies) (let
    (= frog (updateObj frog "meals" (+ (.. frog meals) (length (filter near flies)))))
    (= flies (filter (--> f (! (near f))) flies))))
  (on (& (== (% hour 4) 0) (& ((light)) (& (!= weeds (list)) (< (length weeds) 30))))
    (= weeds (addObj weeds (sprout (uniformChoice weeds)))))
  (on (== (% hour 2) 1) (= tadpoles (updateObj tadpoles swim)))
  (on (intersects tadpoles weeds) (let
    (= tadpoles (updateObj tadpoles browse))
    (= weeds (filter fed weeds))))
  (on (any grown tadpoles) (= tadpoles (filter (--> t (! (grown t))) tadpoles)))
  (on (| (== hour 0) (== hour DUSK)) (let
    (= background (if (== hour 0) then "lightblue" else "midnightblue"))
    (shine (== hour DUSK))
    (= tadpoles (addObj tadpoles (spawn (if (== hour 0) then 3 else 0))))
    (= weeds (addObj weeds (sown (if (== hour 0) then 2 else 0))))))
  (on (& clicked (& (isFreePos click) (< (length flies) 6)))
    (= flies (addObj flies (Fly (! ((light))) click)))))
