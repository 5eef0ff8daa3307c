/** Runs tests of file permissions without privileges. CI runs as root, which ignores file modes. */

/** The user id of `nobody`. */
const unprivileged = 65_534

/** Runs `act` as `nobody` if the process runs as root, or else as the current user. */
export async function asUnprivileged<T>(act: () => T | Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return act()
  process.seteuid?.(unprivileged)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}
