(program
  (= GRID_SIZE 16)
  (object Stone (: heap Number) (: level Number)
    (map (--> i (Cell (% i 4) (/ i 4) (if (== (% level 2) 0) then "tan" else "brown"))) (range 0 8)))
  (object Lamp (: color String) (list (Cell 0 0 color) (Cell 1 0 color)))

  (: stones (List Stone))
  (= stones (initnext ((dealt)) (prev stones)))
  (: lamp Lamp)
  (= lamp (initnext (Lamp "gray" (Position 7 0)) (prev lamp)))
  (: answering Bool)
  (= answering (initnext false (prev answering)))

  (= pile (--> (h count) (map (--> n (Stone h n (Position (+ 1 (* 5 h)) (- 14 (* 2 n))))) (range 0 count))))
  (= dealt (fn () (concat (list (pile 0 3) (pile 1 5) (pile 2 6)))))
  (= tall (--> h (length (filter (--> s (== (.. s heap) h)) stones))))
  (= kept (--> (h n) (filter (--> s (or (!= (.. s heap) h) (< (.. s level) n))) stones)))
  (= tallest (fn () (foldl (--> (a h) (if (> (tall h) (tall a)) then h else a)) 0 (range 1 3))))
  (= nextTall (--> a (foldl (--> (n h) (if (== h a) then n else (max n (tall h)))) 0 (range 0 3))))

  ; the answer cuts the tallest heap down to the next one, or by one stone if they are equal
  (= answered (fn () (let (= big ((tallest))) (= rest (nextTall big)) (kept big (min rest (- (tall big) 1))))))
  (= shown (--> color (= lamp (updateObj lamp "color" (if (== (length stones) 0) then color else "gray")))))

  (on (& up (== (length stones) 0)) (let (= stones ((dealt))) (= answering false) (shown "gray")))
  (on (& answering (> (length stones) 0)) (let (= stones ((answered))) (= answering false) (shown "red")))
  (on (& (! (prev answering)) (clicked (prev stones)))
    (let (= taken (head (objClicked (prev stones))))
         (= stones (kept (.. taken heap) (.. taken level)))
         (= answering true)
         (shown "limegreen"))))
