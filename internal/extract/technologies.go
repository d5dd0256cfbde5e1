package extract

import (
	"strings"

	"github.com/forgemind/forgemind/internal/lazyregexp"
)

// anyCase lists technologies that match in any case, because their names have no
// other meaning.
const anyCase = `
Python, JavaScript, TypeScript, Golang, C++, C#, F#, Objective-C, PHP, Kotlin, Haskell, Erlang, OCaml, Clojure, Fortran, COBOL, WebAssembly, PowerShell
PostgreSQL, Postgres, MySQL, MariaDB, SQLite, MongoDB, Redis, Memcached, Cassandra, CouchDB, DynamoDB, Firestore, InfluxDB, TimescaleDB, ClickHouse, DuckDB, Neo4j, Elasticsearch, OpenSearch, Solr, Supabase, BigQuery, Redshift, CockroachDB, etcd, RocksDB, LevelDB, pgvector, Pinecone, Qdrant, Weaviate, FAISS
SQL, NoSQL, GraphQL, gRPC, Protobuf, Protocol Buffers, WebSocket, WebSockets, WebRTC, OpenAPI, JSON Schema, HTML, CSS, SCSS, MQTT, AMQP
AWS, GCP, Amazon S3, AWS Lambda, Google Cloud, Cloud Run, CloudFront, CloudFormation, Cloudflare, DigitalOcean, Heroku, Vercel, Netlify, Firebase, OpenStack
Docker, Docker Compose, Kubernetes, k8s, Terraform, Pulumi, Ansible, Podman, Nginx, HAProxy, Traefik, Istio, Prometheus, Grafana, Datadog, OpenTelemetry, Logstash, Kibana, Fluentd, RabbitMQ, Kafka, Apache Kafka, Apache Spark, Apache Airflow, ZeroMQ, ActiveMQ
Jenkins, CircleCI, GitHub Actions, GitLab, GitLab CI, GitHub, Bitbucket, ArgoCD, Argo CD
React Native, React.js, ReactJS, Vue.js, VueJS, Nuxt, Nuxt.js, Next.js, NextJS, Node.js, NodeJS, AngularJS, Svelte, SvelteKit, jQuery, Three.js, D3.js, Express.js, NestJS, Fastify, Deno, Electron.js, Redux, RxJS, Tailwind CSS, TailwindCSS, Webpack, esbuild, Rollup.js, ESLint, npm, pnpm, Vitest, Puppeteer, Mocha.js
Django, FastAPI, SQLAlchemy, Pydantic, NumPy, SciPy, scikit-learn, PyTorch, TensorFlow, Keras, Matplotlib, Jupyter, pytest, mypy, PyJWT, Uvicorn, Gunicorn, asyncio, BeautifulSoup, spaCy, NLTK, OpenCV, LangChain, LlamaIndex, Hugging Face, PySpark
Ruby on Rails, Laravel, Symfony, Spring Boot, Spring Security, Hibernate, JUnit, Gradle, .NET, ASP.NET, Entity Framework, Blazor, Xamarin, SwiftUI, UIKit, Jetpack Compose, Android Studio, Xcode, Tokio, Serde, Gorilla Mux, GORM
JWT, OAuth, OAuth2, OAuth 2.0, OIDC, OpenID Connect, SAML, LDAP, Kerberos, Auth0, Okta, Keycloak, WebAuthn, FIDO2, TLS, mTLS, SSL, SSH, OpenSSL, PKCE, HMAC, bcrypt, scrypt, Argon2, PBKDF2, RSA, ECDSA, Ed25519, RS256, RS384, RS512, HS256, HS384, HS512, ES256, ES384, ES512, PS256, EdDSA, AES-256, AES-GCM, SHA-1, SHA-256, SHA-512, SHA256, SHA512, MD5, ChaCha20, PGP, GPG
Linux, Ubuntu, Debian, macOS, FreeBSD, systemd, tmux, Vim, Neovim, Emacs, VS Code, VSCode, IntelliJ, Raspberry Pi, Arduino
OpenAI, Anthropic, ChatGPT, GPT-4, GPT-3.5, LLaMA, Ollama, Stripe API, Twilio, SendGrid, Figma, Zstandard, zstd, gzip, Brotli, Parquet, Apache Arrow, Polars`

// exactCase lists technologies that match only in this case: in another case they are
// words or abbreviations.
const exactCase = `
S3, EC2, IAM, RDS, SQS, SNS, EKS, ECS, GKE, AKS, CI/CD, REST API, RESTful API, AES, HTTP/2, HTTP/3, QUIC, CORS, CSRF, XSS, SPIFFE, HTTPS
Ruby, Scala, Perl, Lua, Elixir, Bash, PyPI, Azure, Snowflake, Helm, MATLAB, CUDA, Vite, Yarn, Prisma, Playwright, Cypress, Storybook, Angular, Vue, Flask, Celery, Pandas, GitHub Copilot, Claude Code, Codex CLI, Gemini CLI, Unity, Unreal Engine, Tailwind, Bootstrap CSS`

// ambiguous lists technologies whose names are single letters, or words that may begin
// a sentence.
const ambiguous = `Go, C, R, D, Swift, Rust, React, Express, Java, Dart, Julia, Crystal, Elm, Zig, Nim, Spring, Rails, Node, Spark, Electron, Jest, Vault, Consul, Oracle, Salt, Chef, Puppet, Svelte, Meteor, Ember, Remix, Bun, Phoenix, Gin, Echo, Fiber, Rocket`

var (
	dependencyList = lazyregexp.New(`(?i)^[\s>*+#•-]*\**(?:dependenc(?:y|ies)|deps|libraries|tech(?:nology)? stack|technologies|abhängigkeiten|依赖)\**\s*[:：]\**\s*(.{1,400})$`)
	requirement    = lazyregexp.New("^`?([A-Za-z][A-Za-z0-9_.+#-]{1,39})`?(?:\\s*(?:[<>=~^]=?|==|v)?\\s*v?\\d[\\d.x*]*)?$")
	serialNumber   = lazyregexp.New(`^[A-Za-z]{1,6}-?\d+$`)
)

// addDependencies adds the technologies of a list such as "Dependencies: PyJWT,
// cryptography".
func (f *finder) addDependencies(text string) {
	m := dependencyList.FindStringSubmatch(text)
	if m == nil {
		return
	}
	list := strings.TrimRight(m[1], " .")
	for _, and := range []string{" and ", " und ", " + ", "、", "，", ";"} {
		list = strings.ReplaceAll(list, and, ",")
	}
	for item := range strings.SplitSeq(list, ",") {
		item = strings.TrimSpace(item)
		if n, ok := builtin().lookup(item); ok {
			f.add(n.kind, n.text)
			continue
		}
		m := requirement.FindStringSubmatch(item)
		if m == nil || serialNumber.MatchString(m[1]) || isFile(m[1]) || notLibraries[strings.ToLower(m[1])] {
			continue
		}
		if n, ok := builtin().lookup(m[1]); ok {
			m[1] = n.text
		}
		f.add(Technologies, m[1])
	}
}

var notLibraries = set(`none no nothing unchanged updated installed todo tbd etc ok yes all see unknown same keine null new done failed
	missing resolved pinned the and others more up-to-date optional required`)
