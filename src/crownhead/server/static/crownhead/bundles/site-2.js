var t=e=>e.querySelector("[data-menu] .username")?.textContent??"";export{t as a};
