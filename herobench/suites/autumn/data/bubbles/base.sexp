(program
  (object Bubble (Cell 0 0 "lightskyblue"))
  (= rise (--> p (Bubble (Position (% (+ (.. p x) (uniformChoice (list 15 16 17))) 16) (- (.. p y) 1)))))
  (= bubbles (initnext (list) (filter isWithinBounds (map (--> b (rise (.. b origin))) (prev bubbles)))))
  (on clicked (= bubbles (addObj bubbles (Bubble click)))))
