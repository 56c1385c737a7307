// A process and all that it starts, to end them together.
import fs from 'node:fs';
import { isAlive, processStart } from './process-identity.mjs';

const NOTE_INTERVAL_MS = 500;
const CHECK_INTERVAL_MS = 50;

/**
 * Watches a child that leads a process group of its own. PostgreSQL and detached children leave that group, so the
 * descendants are noted as they come, by pid and start time; where there is no /proc, only the group is known.
 */
export class ProcessFamily {
  /** The noted processes: pid → start time. */
  #members = new Map();
  #leader;
  #timer;

  /** @param leader pid of a child that was spawned with `detached: true` */
  constructor(leader) {
    this.#leader = leader;
    this.#members.set(leader, processStart(leader));
    this.#timer = setInterval(() => this.#note(), NOTE_INTERVAL_MS);
    this.#note();
  }

  /**
   * Asks all to end, kills those that are left after `graceMs`, and waits until nobody is left. Outside the group,
   * nobody is asked before its parent is gone: PostgreSQL ends its own processes.
   */
  async end(graceMs) {
    clearInterval(this.#timer);
    // While their parents live: of what comes from a process that is gone, nobody knows whose it is.
    this.#note();
    signal(-this.#leader, 'SIGTERM');
    const asked = new Set();
    const ask = () => {
      for (const pid of this.#living()) {
        if (asked.has(pid) || this.#members.has(parentOf(pid))) continue;
        asked.add(pid);
        signal(pid, 'SIGTERM');
      }
    };
    if (await this.#isGone(graceMs, ask)) return;
    signal(-this.#leader, 'SIGKILL');
    const kill = () => {
      for (const pid of this.#living()) signal(pid, 'SIGKILL');
    };
    await this.#isGone(graceMs, kill);
  }

  #living() {
    for (const [pid, start] of this.#members) {
      if (start === undefined || !isAlive({ pid, start })) this.#members.delete(pid);
    }
    return [...this.#members.keys()];
  }

  /** Waits until nobody is left, and meanwhile calls `press` again and again. */
  async #isGone(timeoutMs, press) {
    for (const deadline = performance.now() + timeoutMs; ; ) {
      this.#note();
      press();
      if (this.#living().length === 0 && !isGroupAlive(this.#leader)) return true;
      if (performance.now() > deadline) return false;
      await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL_MS));
    }
  }

  /** Adds the children of those noted, and their children. */
  #note() {
    const known = new Set(this.#living());
    const others = processes().filter(({ pid }) => !known.has(pid));
    for (let before = -1; before < known.size; ) {
      before = known.size;
      for (const { pid, parent, group } of others) {
        if (known.has(pid) || !(known.has(parent) || group === this.#leader)) continue;
        known.add(pid);
        this.#members.set(pid, processStart(pid));
      }
    }
  }
}

function processes() {
  let entries = [];
  try {
    entries = fs.readdirSync('/proc');
  } catch {
    return [];
  }
  return entries.filter((name) => /^\d+$/.test(name)).flatMap((name) => statOf(Number(name)) ?? []);
}

function statOf(pid) {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may hold any character: count from the last one.
    const [, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { pid, parent: Number(parent), group: Number(group) };
  } catch {
    return undefined;
  }
}

const parentOf = (pid) => statOf(pid)?.parent;

function isGroupAlive(leader) {
  const members = processes().filter(({ pid, group }) => group === leader && processStart(pid) !== undefined);
  return members.length > 0;
}

function signal(pid, name) {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
