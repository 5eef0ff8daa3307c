import { installedVersion } from '../measure/installed-version.ts'
import { key, type ProxySubject, type Settings, startInFolder } from './proxy.ts'

export const nginxProxy: ProxySubject = {
  name: 'nginx',
  limiter: '`map` of the header to a client; `limit_req` (leaky bucket) per client',
  version: () => installedVersion('nginx', '-v', /nginx\/(\S+)/),
  files,
  start: (settings) => startInFolder(nginxProxy, settings, ['nginx', '-p', '.', '-c', 'nginx.conf', '-e', 'error.log']),
}

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

function files({ port, upstream, mode, perSecond }: Settings): Record<string, string> {
  const zone = `
  map $http_authorization $client { default ""; "${key}" "one"; }
  limit_req_zone $client zone=clients:10m rate=${perSecond}r/s;
  limit_req_status 429;`
  const check = `
      if ($client = "") { return 401; }
      limit_req zone=clients burst=${perSecond} nodelay;`
  return {
    'nginx.conf': `daemon off;
worker_processes 1;
pid nginx.pid;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.map((name) => `${name}_temp_path temp_${name};`).join('\n  ')}
  keepalive_requests 1000000;
  upstream backend { server ${upstream}; keepalive 64; keepalive_requests 1000000; }${mode === 'limited' ? zone : ''}
  server {
    listen 127.0.0.1:${port};
    location / {${mode === 'limited' ? check : ''}
      proxy_pass http://backend;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
    }
  }
}
`,
  }
}
