import type { TcpProxy } from '../support/tcp-proxy.js';
import { pause } from './pause.js';

/** Cuts every connection every `everyMs` milliseconds, for `ms` milliseconds; new ones work. */
export async function cutRepeatedly(proxy: TcpProxy, how: 'reset' | 'end', ms: number, everyMs = 400): Promise<void> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    proxy.cut(how);
    await pause(everyMs);
  }
}

/** Cuts every connection and refuses new ones. */
export function refuse(proxy: TcpProxy): void {
  proxy.refuse();
  proxy.cut('reset');
}

/** Silences every connection, including new ones; the server keeps its sessions. */
export function hang(proxy: TcpProxy): void {
  proxy.silence({ newConnections: 'hang', server: 'open' });
}

/** Breaks the path for `ms` milliseconds. */
export async function breakFor(ms: number, proxy: TcpProxy, breakPath: (proxy: TcpProxy) => void): Promise<void> {
  breakPath(proxy);
  await pause(ms);
  await proxy.heal();
}
