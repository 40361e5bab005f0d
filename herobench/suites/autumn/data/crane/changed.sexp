(program
  (= GRID_SIZE 16)
  (= PATIENCE 22)

  (object Crane (: live Bool) (map (--> i (Cell i 0 (if live then "gold" else "gray"))) (list -1 0 1)))
  (object Ball (: iron Bool) (Cell 0 0 (if iron then "silver" else "peru")))

  (= crane (initnext (Crane false (Position 7 0)) (prev crane)))
  (: balls (List Ball))
  (= balls (initnext (list (Ball true (Position 4 15)) (Ball false (Position 8 15)) (Ball true (Position 11 15)))
                     (updateObj (prev balls) (--> b (sway b (lifted b))))))
  (: heat Number)
  (= heat (initnext 0 (if (.. crane live) then (+ (prev heat) 1) else 0)))

  (: switched Number)
  (= switched (initnext 0 (prev switched)))
  (: shown Bool)
  (= shown (initnext false
    (| (prev shown) (any (--> b (!= (sway b (lifted b)) (sway b (pulled b)))) (prev balls)))))

  (= column (--> thing (.. (.. thing origin) x)))
  (= below (--> b (<= (abs (- (column b) (column (prev crane)))) 1)))
  (= pulled (--> b (& (.. (prev crane) live) (& (.. b iron) (below b)))))
  (= lifted (--> b (if (< switched 4) then (pulled b) else (& (.. (prev crane) live) (& (! (.. b iron)) (below b))))))
  ; a ball that hangs goes along with the crane
  (= sway (--> (b held)
    (if (! held) then (nextSolid b) else
    (if (== (.. (.. b origin) y) 1) then (move b (Position (- (column crane) (column (prev crane))) 0))
    else (moveUpNoCollision b)))))
  (= drive (--> by
    (if (isWithinBounds (move crane (Position by 0))) then (= crane (move crane (Position by 0))) else crane)))

  (on left (drive -1))
  (on right (drive 1))
  (on up (let
    (= switched (+ switched (if (.. crane live) then 0 else 1)))
    (= crane (updateObj crane "live" (! (.. crane live))))))
  (on (> heat PATIENCE) (= crane (updateObj crane "live" false)))
  (on (& (& clicked (isFreePos click)) (< (length balls) 24))
    (= balls (addObj (updateObj balls (--> b (sway b (lifted b)))) (Ball (== (% (length balls) 2) 0) click)))))
