/** What a user meets who may not do everything: CI runs as root, whom no file mode keeps out. */

/** `nobody`, wherever there is one. */
const unprivileged = 65_534

/** Acts as a user without privileges: as `nobody` where this process is root's, else as who it is. */
export async function asUnprivileged<T>(act: () => T | Promise<T>): Promise<T> {
  if (process.geteuid?.() !== 0) return act()
  process.seteuid?.(unprivileged)
  try {
    return await act()
  } finally {
    process.seteuid?.(0)
  }
}
