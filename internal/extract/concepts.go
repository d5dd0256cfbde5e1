package extract

// concepts lists names of concepts, in the plural if they have one. Each has several
// words, because a single word is too ambiguous.
const concepts = `refresh tokens, access tokens, bearer tokens, API keys, public key infrastructure, public keys, private keys,
	token rotation, key rotation, token revocation, session management, single sign-on, multi-factor authentication, two-factor authentication,
	role-based access control, access control lists, least privilege, zero trust, end-to-end encryption, certificate pinning,
	SQL injection, cross-site scripting, rate limiting, rate limits, load balancing, circuit breakers, exponential backoff,
	connection pooling, connection pools, thread pools, message queues, event sourcing, event-driven architecture, event loops,
	dependency injection, inversion of control, separation of concerns, design patterns, domain-driven design, test-driven development,
	continuous integration, continuous delivery, continuous deployment, feature flags, blue-green deployment, canary releases, rolling updates,
	service discovery, service mesh, distributed systems, distributed tracing, distributed locks, optimistic locking, pessimistic locking,
	eventual consistency, strong consistency, consistent hashing, leader election, race conditions, memory leaks, garbage collection,
	deadlock detection, lazy loading, eager loading, cache invalidation, write-ahead logs, materialized views, foreign keys, primary keys, database migrations, schema migrations,
	query optimization, full-text search, semantic search, vector embeddings, context windows, token budgets, prompt caching, prompt injection,
	sliding windows, binary search, regular expressions, code review, code coverage, unit tests, integration tests, end-to-end tests, property-based testing,
	fuzz testing, mutation testing, load testing, technical debt, error handling, input validation, structured logging, health checks, graceful shutdown, dead letter queues,
	idempotency keys, server-side rendering, static site generation, machine learning, reinforcement learning, retrieval-augmented generation, knowledge graphs`
