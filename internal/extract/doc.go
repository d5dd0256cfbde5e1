// Package extract finds the entities, decisions, rules, goals and work reports in a
// message, and rates its importance.
//
// It uses only rules and word lists, no model and no network: the same text always
// gives the same result. The rules prefer a missing result to a wrong one. Users can
// record what they miss with a command, or extend the lists in config.json under
// entities and agents.decision_phrases. The rules cover English best, and the most
// frequent forms of German and Chinese. testdata has labeled sentences; a test holds the
// precision and recall on those that the rules were not developed with.
//
// The time is linear in the length of the text, and the number of results is limited,
// for every text.
package extract
