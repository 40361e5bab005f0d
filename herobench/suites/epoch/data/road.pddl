;; The road: two people, each bound to one epoch, walk through one gate after another. No way leads back through a gate.
;; Ways take hours, and all that is done takes some. Each hand holds one thing, keys wear out, steep ways take vigor, soil
;; feeds one tree, and a tree of the past closes a way of a later section. The least hours of both people together win.
;; Positive preconditions only; effects delete, then add. What time makes of an action is not here but in road-rules.json.
(define (domain epochs-road)
  (:requirements :strips :typing :action-costs)
  (:types
    character hand place item metal gate vigor effort - object
    key sapling - item)
  (:predicates
    ;; what actions change
    (at ?who - character ?here - place)
    (holds ?who - character ?hand - hand ?what - item)
    (empty ?who - character ?hand - hand)
    (vigor ?who - character ?level - vigor)
    (soil ?here - place)
    (open ?from ?to - place)
    (tree-planted ?here - place)
    ;; what only time changes (road-rules.json)
    (raised ?gate - gate)
    ;; what never changes
    (path ?from ?to - place)
    (steep ?effort - effort ?from ?to - place)
    (tires ?effort - effort ?before ?after - vigor)
    (less ?before ?after - vigor)
    (full ?level - vigor)
    (spring ?here - place)
    (stored ?what - item ?here - place)
    (booth ?here - place)
    (linked ?here ?there - place)
    (made-of ?key - key ?metal - metal)
    (door ?metal - metal ?from ?to - place)
    (wears ?key ?left - key)
    (last ?key - key)
    (lifts ?tree ?from ?to - place)
    (overgrows ?tree ?from ?to - place)
    (meeting ?gate - gate ?first ?second - place)
    (beyond ?gate - gate ?from ?to - place))
  (:functions
    (path-hours ?from ?to - place) - number
    (open-hours ?from ?to - place) - number
    (steep-hours ?from ?to - place) - number
    (door-hours ?from ?to - place) - number
    (total-cost) - number)

  (:action move
    :parameters (?who - character ?from ?to - place)
    :precondition (and (at ?who ?from) (path ?from ?to))
    :effect (and (not (at ?who ?from)) (at ?who ?to) (increase (total-cost) (path-hours ?from ?to))))

  (:action pass
    :parameters (?who - character ?from ?to - place)
    :precondition (and (at ?who ?from) (open ?from ?to))
    :effect (and (not (at ?who ?from)) (at ?who ?to) (increase (total-cost) (open-hours ?from ?to))))

  (:action climb
    :parameters (?who - character ?hand - hand ?effort - effort ?before ?after - vigor ?from ?to - place)
    :precondition (and (at ?who ?from) (steep ?effort ?from ?to) (empty ?who ?hand) (vigor ?who ?before)
                       (tires ?effort ?before ?after))
    :effect (and (not (at ?who ?from)) (not (vigor ?who ?before)) (at ?who ?to) (vigor ?who ?after)
                 (increase (total-cost) (steep-hours ?from ?to))))

  (:action rest
    :parameters (?who - character ?before ?after - vigor)
    :precondition (and (vigor ?who ?before) (less ?before ?after))
    :effect (and (not (vigor ?who ?before)) (vigor ?who ?after) (increase (total-cost) 6)))

  (:action drink
    :parameters (?who - character ?before ?full - vigor ?here - place)
    :precondition (and (at ?who ?here) (spring ?here) (vigor ?who ?before) (full ?full))
    :effect (and (not (vigor ?who ?before)) (vigor ?who ?full) (increase (total-cost) 2)))

  (:action unlock
    :parameters (?who - character ?hand - hand ?key ?left - key ?metal - metal ?from ?to - place)
    :precondition (and (at ?who ?from) (holds ?who ?hand ?key) (made-of ?key ?metal) (door ?metal ?from ?to)
                       (wears ?key ?left))
    :effect (and (not (at ?who ?from)) (not (holds ?who ?hand ?key)) (at ?who ?to) (holds ?who ?hand ?left)
                 (increase (total-cost) (door-hours ?from ?to))))

  (:action unlock-last
    :parameters (?who - character ?hand - hand ?key - key ?metal - metal ?from ?to - place)
    :precondition (and (at ?who ?from) (holds ?who ?hand ?key) (made-of ?key ?metal) (door ?metal ?from ?to) (last ?key))
    :effect (and (not (at ?who ?from)) (not (holds ?who ?hand ?key)) (at ?who ?to) (empty ?who ?hand)
                 (increase (total-cost) (door-hours ?from ?to))))

  (:action take
    :parameters (?who - character ?hand - hand ?what - item ?here - place)
    :precondition (and (at ?who ?here) (stored ?what ?here) (empty ?who ?hand))
    :effect (and (not (empty ?who ?hand)) (holds ?who ?hand ?what) (increase (total-cost) 1)))

  (:action discard
    :parameters (?who - character ?hand - hand ?what - item)
    :precondition (and (holds ?who ?hand ?what))
    :effect (and (not (holds ?who ?hand ?what)) (empty ?who ?hand) (increase (total-cost) 1)))

  (:action send
    :parameters (?who - character ?hand - hand ?what - item ?to - character ?receiving - hand ?here ?there - place)
    :precondition (and (at ?who ?here) (booth ?here) (holds ?who ?hand ?what) (at ?to ?there) (linked ?here ?there)
                       (empty ?to ?receiving))
    :effect (and (not (holds ?who ?hand ?what)) (empty ?who ?hand) (not (empty ?to ?receiving))
                 (holds ?to ?receiving ?what) (increase (total-cost) 1)))

  (:action plant-tree
    :parameters (?who - character ?hand - hand ?what - sapling ?here ?from ?to - place)
    :precondition (and (at ?who ?here) (holds ?who ?hand ?what) (soil ?here) (overgrows ?here ?from ?to))
    :effect (and (not (holds ?who ?hand ?what)) (empty ?who ?hand) (not (soil ?here)) (tree-planted ?here)
                 (not (open ?from ?to)) (increase (total-cost) 2))))
