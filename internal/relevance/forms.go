package relevance

import (
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// irregularForms lists words, each before those of its forms that have another stem. Names
// of small numbers follow their digits.
const irregularForms = `go went gone goes
buy bought
eat ate eaten
see saw seen
get got gotten
take took taken
give gave given
make made
meet met
begin began begun
win won
lose lost
find found
think thought
teach taught
bring brought
catch caught
write wrote written
speak spoke spoken
tell told
say said
know knew known
grow grew grown
draw drew drawn
drive drove driven
ride rode ridden
run ran
swim swam swum
sing sang sung
drink drank drunk
break broke broken
choose chose chosen
fall fell fallen
feel felt
leave left
keep kept
sleep slept
spend spent
send sent
build built
sell sold
hold held
stand stood
understand understood
wear wore worn
come came
become became
fly flew flown
throw threw thrown
show shown
pay paid
hear heard
lead led
sit sat
hang hung
fight fought
forget forgot forgotten
hide hid hidden
child children
man men
woman women
person people
foot feet
tooth teeth
mouse mice
2 two
3 three
4 four
5 five
6 six
7 seven
8 eight
9 nine
10 ten`

// baseForms returns the term for the stem of each irregular form.
var baseForms = sync.OnceValue(func() map[string]string {
	bases := map[string]string{}
	for line := range strings.Lines(irregularForms) {
		forms := strings.Fields(line)
		for _, form := range forms[1:] {
			bases[english.Stem(form, false)] = english.Stem(forms[0], false)
		}
	}
	return bases
})
