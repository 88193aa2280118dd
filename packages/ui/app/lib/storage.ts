/** Settings of this browser. Without storage (private windows, policies) they last as long as the page. */
const memory = new Map<string, string>();

export function readSetting(key: string): string | undefined {
  try {
    return localStorage.getItem(`fairlead.${key}`) ?? memory.get(key);
  } catch {
    return memory.get(key);
  }
}

export function writeSetting(key: string, value: string): void {
  memory.set(key, value);
  try {
    localStorage.setItem(`fairlead.${key}`, value);
  } catch {
    // Kept in memory.
  }
}
