(program
  (= GRID_SIZE 13)
  (= CALM 2)
  (= THROWN 4)
  (= corners (list (Position -1 -1) (Position 1 -1) (Position -1 1) (Position 1 1)))

  (object Wave (: age Number)
    (Cell 0 0 (if (== age 0) then "white" else (if (== age 1) then "dodgerblue" else "navy"))))
  (object Pile (Cell 0 0 "saddlebrown"))

  (= piles (initnext (map (--> i (Pile (Position (+ 3 (* 3 (% i 3))) (+ 3 (* 3 (/ i 3)))))) (range 0 9)) (prev piles)))
  (: waves (List Wave))
  (= waves (initnext (list) ((spread))))
  (: thrown Number)
  (= thrown (initnext 0 (prev thrown)))
  (: shown Bool)
  (= shown (initnext false
    (| (prev shown) (& (>= (prev thrown) THROWN) (any (--> p (! (in p (crest beside)))) (crest around))))))
  (: calm Number)
  (= calm (initnext CALM (prev calm)))

  ; a wave goes to all free neighbours of its crest; where it was, nothing can go for a while
  (= beside (--> w (adjPositions (.. w origin))))
  (= around (--> w
    (filter (--> p (isWithinBounds (Wave 0 p))) (map (--> d (movePos (.. w origin) d)) corners))))
  (= crest (--> how (filter isFreePos (concat (map how (filter (--> w (== (.. w age) 0)) (prev waves)))))))
  (= once (--> spots (foldl (--> (kept p) (if (in p kept) then kept else (addObj kept p))) (list) spots)))
  (= spread (fn () (addObj
    (filter (--> w (<= (.. w age) calm)) (updateObj (prev waves) (--> w (updateObj w "age" (+ (.. w age) 1)))))
    (map (--> p (Wave 0 p)) (once (crest (if (< (prev thrown) THROWN) then beside else around)))))))

  (on up (= calm (min 5 (+ calm 1))))
  (on down (= calm (max 1 (- calm 1))))
  (on (& clicked (isFreePos click)) (let
    (= thrown (+ thrown 1))
    (= waves (addObj (filter (--> w (!= (.. w origin) click)) ((spread))) (Wave 0 click)))))
  (on (clicked piles) (= piles (filter (--> p (! (clicked p))) piles))))
