// @ts-check
// Hooks for scenes that follow a match.
import { FollowedMatch } from "./match.js";
import { useEffect, useRef, useState } from "./html.js";

/** Follow a match while the scene is shown. @param {{match: string, seat: number | null, token?: string}} who */
export function useMatch({ match, seat, token }) {
  const [, redraw] = useState(0);
  const [followed] = useState(() => new FollowedMatch({ match, seat, token }));
  useEffect(() => {
    const end = followed.subscribe(() => redraw((drawn) => drawn + 1));
    followed.start();
    return () => {
      end();
      followed.stop();
    };
  }, [followed]);
  return followed;
}

/** Call `onHide` when the page is hidden or left: hands are covered then. @param {() => void} onHide */
export function useHiding(onHide) {
  const call = useRef(onHide);
  call.current = onHide;
  useEffect(() => {
    const hide = () => document.hidden && call.current(), blur = () => call.current();
    document.addEventListener("visibilitychange", hide);
    addEventListener("blur", blur);
    addEventListener("pagehide", blur);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      removeEventListener("blur", blur);
      removeEventListener("pagehide", blur);
    };
  }, []);
}
