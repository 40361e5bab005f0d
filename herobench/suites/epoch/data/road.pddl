;; The road: three people, each bound to one epoch, walk through one gate after another. No way leads back through a gate.
;; Hands hold one thing, keys wear out, soil feeds one tree, and a tree of the past closes a way of a later epoch.
;; Positive preconditions only; effects delete, then add. What time makes of an action is not here but in road-rules.json.
(define (domain epochs-road)
  (:requirements :strips :typing)
  (:types
    character place item metal gate - object
    key sapling - item)
  (:predicates
    ;; what actions change
    (at ?who - character ?here - place)
    (has ?who - character ?what - item)
    (free-hands ?who - character)
    (soil ?here - place)
    (open ?from ?to - place)
    (tree-planted ?here - place)
    ;; what only time changes (road-rules.json)
    (raised ?gate - gate)
    ;; what never changes
    (path ?from ?to - place)
    (stored ?what - item ?here - place)
    (booth ?here - place)
    (linked ?here ?there - place)
    (made-of ?key - key ?metal - metal)
    (door ?metal - metal ?from ?to - place)
    (wears ?key ?left - key)
    (last ?key - key)
    (lifts ?tree ?from ?to - place)
    (overgrows ?tree ?from ?to - place)
    (meeting ?gate - gate ?first ?second ?third - place)
    (beyond ?gate - gate ?from ?to - place))

  (:action move
    :parameters (?who - character ?from ?to - place)
    :precondition (and (at ?who ?from) (path ?from ?to))
    :effect (and (not (at ?who ?from)) (at ?who ?to)))

  (:action pass
    :parameters (?who - character ?from ?to - place)
    :precondition (and (at ?who ?from) (open ?from ?to))
    :effect (and (not (at ?who ?from)) (at ?who ?to)))

  (:action unlock
    :parameters (?who - character ?key ?left - key ?metal - metal ?from ?to - place)
    :precondition (and (at ?who ?from) (has ?who ?key) (made-of ?key ?metal) (door ?metal ?from ?to) (wears ?key ?left))
    :effect (and (not (at ?who ?from)) (not (has ?who ?key)) (at ?who ?to) (has ?who ?left)))

  (:action unlock-last
    :parameters (?who - character ?key - key ?metal - metal ?from ?to - place)
    :precondition (and (at ?who ?from) (has ?who ?key) (made-of ?key ?metal) (door ?metal ?from ?to) (last ?key))
    :effect (and (not (at ?who ?from)) (not (has ?who ?key)) (at ?who ?to) (free-hands ?who)))

  (:action take
    :parameters (?who - character ?what - item ?here - place)
    :precondition (and (at ?who ?here) (stored ?what ?here) (free-hands ?who))
    :effect (and (not (free-hands ?who)) (has ?who ?what)))

  (:action discard
    :parameters (?who - character ?what - item)
    :precondition (and (has ?who ?what))
    :effect (and (not (has ?who ?what)) (free-hands ?who)))

  (:action send
    :parameters (?who - character ?what - item ?to - character ?here ?there - place)
    :precondition (and (at ?who ?here) (booth ?here) (has ?who ?what) (at ?to ?there) (linked ?here ?there)
                       (free-hands ?to))
    :effect (and (not (has ?who ?what)) (free-hands ?who) (not (free-hands ?to)) (has ?to ?what)))

  (:action plant-tree
    :parameters (?who - character ?what - sapling ?here ?from ?to - place)
    :precondition (and (at ?who ?here) (has ?who ?what) (soil ?here) (overgrows ?here ?from ?to))
    :effect (and (not (has ?who ?what)) (free-hands ?who) (not (soil ?here)) (tree-planted ?here)
                 (not (open ?from ?to)))))
