/**
 * The front end on which recorded suites run by default. uWebSockets.js has binaries for Node 20 and 22; with a later Node
 * they run on the node front end.
 */
export const uwsOrNode = Number(process.versions.node.split('.')[0]) <= 22 ? 'uws' : 'node'
