// Package health reports on the whole tree.
//
// [Look] gives what `forgemind status` prints: the monitoring object of the CMS
// document, with alerts, what there is to do, and the context window with the
// thresholds of the policy. It changes no document and loads no tokenizer.
// How full the window is, is what [LiveUsage] says: counted, or as an agent
// reported its request. [Log] writes the tree's logs and [ReadLogs] reads them.
// [Examine] gives what `forgemind doctor` prints: whether everything around the
// documents is as it should be.
package health
