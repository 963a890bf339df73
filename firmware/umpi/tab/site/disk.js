// The disk of the box: a folder of Python's file system whose files lie in the browser's own storage (OPFS).
// Each write is in the storage before Python goes on, in SQLite's own order: a tab that is killed loses nothing shown.

const FOLDER = "umpi";
const SLOTS = 48; // files that can exist at once; a handle is opened in advance, because that takes a promise
const HEAD = 512; // bytes of a slot before the contents of its file: the file's name
const PASSING = /(-shm|\.lock|\.part)$/; // files that are of no use after a restart
const NO_SPACE = 51, READ_ONLY = 69; // errno, as Emscripten numbers them

/** Raised if another tab has the disk. */
export class Elsewhere extends Error {}

/** Open the storage; return its slots, null if the browser refuses any. Throws Elsewhere. */
export async function openStorage() {
  let folder;
  try {
    folder = await (await navigator.storage.getDirectory()).getDirectoryHandle(FOLDER, { create: true });
  } catch {
    return null;
  }
  const slots = [];
  try {
    for (let at = 0; at < SLOTS; at += 1) {
      const file = await folder.getFileHandle(String(at), { create: true });
      slots.push(new Slot(await file.createSyncAccessHandle()));
    }
  } catch (fault) {
    for (const slot of slots) slot.handle.close();
    if (fault.name === "NoModificationAllowedError") throw new Elsewhere();
    return null;
  }
  navigator.storage.persist?.(); // a browser that is short of room asks, or deletes other sites first
  return slots;
}

/** A file of the storage, which holds one file of the box: its name, then what it contains. */
export class Slot {
  constructor(handle) {
    this.handle = handle;
    const head = new Uint8Array(HEAD);
    this.name = handle.getSize() < HEAD ? "" : (handle.read(head, { at: 0 }), new TextDecoder().decode(head).split("\0")[0]);
  }

  call(name) {
    const head = new Uint8Array(HEAD);
    if (new TextEncoder().encodeInto(name, head).read < name.length) throw new Error(`${name} is too long`);
    if (this.handle.write(head, { at: 0 }) < HEAD) throw new Error("no room");
    this.name = name;
  }

  free() {
    this.handle.truncate(0);
    this.name = "";
  }

  read() {
    const bytes = new Uint8Array(Math.max(0, this.handle.getSize() - HEAD));
    this.handle.read(bytes, { at: HEAD });
    return bytes;
  }

  write(bytes, position) {
    if (this.handle.write(bytes, { at: HEAD + position }) < bytes.length) throw new Error("no room");
  }

  resize(length) {
    this.handle.truncate(HEAD + length);
  }
}

/** Mount the storage at a folder of Python's file system. Without slots, the folder refuses every write. */
export function mountDisk(FS, folder, slots) {
  const { MEMFS } = FS.filesystems;
  FS.mkdirTree(folder);
  FS.mount(MEMFS, {}, folder);
  for (const slot of slots?.filter(({ name }) => name) ?? []) {
    const path = `${folder}/${slot.name}`;
    if (FS.analyzePath(path).exists) { // a tab was killed while one file replaced another: either is whole
      slot.free();
      continue;
    }
    FS.mkdirTree(path.replace(/\/[^/]*$/, ""));
    FS.writeFile(path, slot.read());
    FS.lookupPath(path).node.slot = slot;
  }
  const { node: root } = FS.lookupPath(folder);
  const nameOf = (node) => (node.parent === root ? node.name : `${nameOf(node.parent)}/${node.name}`);
  const refuse = (errno) => { throw new FS.ErrnoError(errno); };

  /** Do something to a slot; Python sees a full disk if the browser has no room. */
  function kept(does) {
    try {
      return does();
    } catch {
      return refuse(NO_SPACE);
    }
  }

  /** Give a file a slot of this name, with what it contains. */
  function keep(node, path) {
    if (PASSING.test(path)) return;
    if (!slots) refuse(READ_ONLY);
    const slot = node.slot ?? slots.find(({ name }) => !name) ?? refuse(NO_SPACE);
    kept(() => {
      if (!node.slot) slot.write(node.contents.subarray(0, node.usedBytes), 0);
      slot.call(path); // last: a tab that is killed before has no half a file
    });
    node.slot = slot;
  }

  const ofFolder = (tree) => ({
    ...tree,
    mknod(parent, name, mode, dev) {
      const made = tree.mknod(parent, name, mode, dev);
      watch(made);
      if (!FS.isFile(mode)) return made;
      try {
        keep(made, nameOf(made));
      } catch (fault) {
        tree.unlink(parent, name);
        FS.destroyNode(made);
        throw fault;
      }
      return made;
    },
    unlink(parent, name) {
      free(parent.contents[name]);
      tree.unlink(parent, name);
    },
    rename(node, parent, name) {
      const before = parent.contents[name];
      if (FS.isFile(node.mode)) keep(node, parent === root ? name : `${nameOf(parent)}/${name}`);
      tree.rename(node, parent, name);
      if (before && before !== node) free(before);
    },
  });

  const ofFile = (tree) => ({
    ...tree,
    setattr(node, attr) {
      if (attr.size !== undefined && node.slot) kept(() => node.slot.resize(attr.size));
      tree.setattr(node, attr);
    },
  });

  const ofStream = (file) => ({
    ...file,
    write(stream, buffer, offset, length, position, canOwn) {
      const { slot } = stream.node;
      if (slot) kept(() => slot.write(buffer.subarray(offset, offset + length), position));
      return file.write(stream, buffer, offset, length, position, canOwn);
    },
    fsync(stream) {
      stream.node.slot?.handle.flush();
      return 0;
    },
  });

  /** A file that was removed while it is open goes on in the memory alone, as on any disk. */
  function free(node) {
    node.slot?.free();
    delete node.slot;
  }

  /** Let a node of the memory write through to its slot. */
  function watch(node) {
    if (FS.isDir(node.mode)) {
      node.node_ops = ofFolder(node.node_ops);
      for (const child of Object.values(node.contents)) watch(child);
    } else if (FS.isFile(node.mode)) {
      node.node_ops = ofFile(node.node_ops);
      node.stream_ops = ofStream(node.stream_ops);
    }
  }

  watch(root);
}
