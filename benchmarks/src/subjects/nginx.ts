/**
 * nginx with a plain proxy_pass, the reference of all ratios. It keeps connections to the upstream alive by default,
 * which costs a third of the bare directive with a connection per request. Bodies are streamed as in the gateway, because
 * buffering them in files would cost nginx more.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../measure/free-port.ts'
import { type Subject, startSubject } from './subject.ts'
import type { TlsFiles } from './tls-files.ts'

export interface NginxOptions {
  /** Connections to the upstream are kept alive. Default: true. */
  readonly keepAlive?: boolean
  /** Serves HTTP/1.1 and HTTP/2 over TLS. */
  readonly tls?: TlsFiles | undefined
}

export async function startNginx(upstream: string, options: NginxOptions = {}): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-nginx-'))
  mkdirSync(join(folder, 'temp'))
  const port = await freePort()
  const conf = join(folder, 'nginx.conf')
  writeFileSync(conf, configuration(folder, port, new URL(upstream).host, options))
  const command = ['nginx', '-p', folder, '-c', conf, '-e', join(folder, 'error.log')]
  const scheme = options.tls === undefined ? 'http' : 'https'
  const subject = await startSubject('nginx', command, `${scheme}://127.0.0.1:${port}`, '/plain')
  return {
    ...subject,
    async stop() {
      await subject.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configuration(
  folder: string,
  port: number,
  upstream: string,
  { keepAlive = true, tls }: NginxOptions,
): string {
  const listen =
    tls === undefined
      ? `listen 127.0.0.1:${port};`
      : `listen 127.0.0.1:${port} ssl http2; ssl_certificate ${tls.cert}; ssl_certificate_key ${tls.key};`
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
worker_rlimit_nofile 30000;
events { worker_connections 25000; }
http {
  access_log off;
  ${temp.map((name) => `${name}_temp_path ${folder}/temp/${name};`).join('\n  ')}
  keepalive_requests 1000000;
  client_max_body_size 0;
  proxy_request_buffering off;
  # A handshake of WebSockets passes; other requests keep the connection to the upstream.
  map $http_upgrade $connection_header { default upgrade; '' ''; }
  upstream backend { server ${upstream}; keepalive 64; keepalive_requests 1000000; }
  server {
    ${listen}
    location / {
      proxy_pass http://${keepAlive ? 'backend' : upstream};
      ${keepAlive ? 'proxy_http_version 1.1; proxy_set_header Upgrade $http_upgrade; proxy_set_header Connection $connection_header;' : ''}
    }
  }
}
`
}
