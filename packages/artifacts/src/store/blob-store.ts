/** Stores encrypted bytes by name. A name is `orderId/sha256`, as `nameOf` returns it. */
export interface BlobStore {
  /** Stores bytes under a name, or replaces them. They become visible all at once. */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Returns the bytes, or null if there are none. */
  get(name: string): Promise<Buffer | null>;
  /** Deletes the bytes and all older versions of them. Does nothing if there are none. */
  delete(name: string): Promise<void>;
  close(): void;
}
