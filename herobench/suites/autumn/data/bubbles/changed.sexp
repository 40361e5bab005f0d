(program
  (object Bubble (Cell 0 0 "lightskyblue"))
  (= rise (--> p (Bubble (Position (% (+ (.. p x) (uniformChoice (list 15 16 17))) 16)
                                   (if (< made 8) then (- (.. p y) 1) else (.. p y))))))
  (= bubbles (initnext (list) (filter isWithinBounds (map (--> b (rise (.. b origin))) (prev bubbles)))))
  (= shown (initnext false (| (prev shown) (& (>= made 8) (!= (prev bubbles) (list))))))
  (= made (initnext 0 (prev made)))
  (on clicked (let (= made (+ made 1)) (= shown shown) (= bubbles (addObj bubbles (Bubble click))))))
