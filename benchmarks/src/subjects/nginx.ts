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

export async function startNginx(upstream: string, keepAlive = true): Promise<Subject> {
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-nginx-'))
  mkdirSync(join(folder, 'temp'))
  const port = await freePort()
  const conf = join(folder, 'nginx.conf')
  writeFileSync(conf, configuration(folder, port, new URL(upstream).host, keepAlive))
  const command = ['nginx', '-p', folder, '-c', conf, '-e', join(folder, 'error.log')]
  const subject = await startSubject('nginx', command, `http://127.0.0.1:${port}`, '/plain')
  return {
    ...subject,
    async stop() {
      await subject.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configuration(folder: string, port: number, upstream: string, keepAlive: boolean): string {
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
worker_processes 1;
pid ${folder}/nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${temp.map((name) => `${name}_temp_path ${folder}/temp/${name};`).join('\n  ')}
  keepalive_requests 1000000;
  client_max_body_size 0;
  proxy_request_buffering off;
  upstream backend { server ${upstream}; keepalive 64; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://${keepAlive ? 'backend' : upstream};
      ${keepAlive ? 'proxy_http_version 1.1; proxy_set_header Connection "";' : ''}
    }
  }
}
`
}
